package io.github.liquidscheduler.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReconcilerTest {
  private final FakeManager manager = new FakeManager(2, true, true);
  private final FakePort.Faults faults = new FakePort.Faults();
  private VirtualTime time = new VirtualTime(manager);
  private boolean isLeaseHeld = true;

  @TempDir private Path folder;

  private Reconciler.Builder builder(Reconciler.SchedulerFactory schedulers) {
    time = new VirtualTime(manager);
    return Reconciler.builder(new FakePort(manager, time, faults), folder, time, schedulers)
        .executor(time)
        .timer(time)
        .stopwatch(time)
        .lease(() -> isLeaseHeld);
  }

  private Reconciler start() {
    return builder(ReconcilerTest::scheduler).start();
  }

  private static Scheduler scheduler(ClusterTopology cluster, Optional<SchedulerSnapshot> start) {
    LiquidScheduler.Builder builder =
        LiquidScheduler.builder(cluster).policy(Policies.bestEffortFifo()).startsReported();
    return start.map(builder::restore).orElseGet(builder::build);
  }

  private void pass(long millis) {
    for (long left = millis; left > 0; left -= 100) {
      manager.tick(100);
      time.run();
    }
  }

  private static @Nullable Throwable failure(CompletionStage<Void> stage) {
    return catchThrowableOfType(CompletionException.class, () -> stage.toCompletableFuture().join())
        .getCause();
  }

  @Test
  void nothingBeginsBeforeTheManagerKnowsItsNodes() {
    manager.kill(100);
    manager.tick(200);
    Reconciler reconciler = start();
    pass(900);
    assertThat(reconciler.started().toCompletableFuture()).isNotDone();
    assertThatThrownBy(reconciler::loop).isInstanceOf(IllegalStateException.class);
    pass(11_000);
    assertThat(reconciler.started().toCompletableFuture()).isDone();
  }

  @Test
  void aSchedulerThatResizesJobsIsRefusedInOneLine() {
    Reconciler reconciler =
        builder(
                (cluster, start) ->
                    LiquidScheduler.builder(cluster)
                        .policy(Policies.bestEffortFifo())
                        .startsReported()
                        .elasticity(Elasticity.by(SizingPolicy.elasticTiresias(0.25, 0)).build())
                        .build())
            .start();
    pass(200);
    assertThat(failure(reconciler.started()))
        .hasMessage(
            "the scheduler must not be built with elasticity, because this cluster manager cannot"
                + " change the size of running jobs");
    assertThat(failure(reconciler.stopped())).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSchedulerToWhichStartsAreNotReportedIsRefused() {
    Reconciler reconciler =
        builder(
                (cluster, start) ->
                    LiquidScheduler.builder(cluster).policy(Policies.bestEffortFifo()).build())
            .start();
    pass(200);
    assertThat(failure(reconciler.started())).hasMessageContaining("startsReported()");
  }

  @Test
  void theDirectoryIsForOneAtATime() {
    Reconciler first = start();
    assertThatThrownBy(this::start).isInstanceOf(IllegalStateException.class);
    first.close();
    time.run();
  }

  @Test
  void aLostLeaseStopsItBeforeItCommands() {
    Reconciler reconciler = start();
    pass(1000);
    isLeaseHeld = false;
    manager.submit(1, 1, 1000, 1);
    pass(2000);
    assertThat(failure(reconciler.stopped())).hasMessageContaining("lease");
    assertThat(manager.log).noneMatch(line -> line.contains("launch"));
  }

  @Test
  void aJournalOfAnotherClusterIsRefusedUnlessItIsTrusted() {
    for (int i = 0; i < 6; i++) {
      manager.submit(1, 4, 1_000_000, 1);
    }
    Reconciler first = start();
    pass(2000);
    first.close();
    time.run();
    manager.forgetAll();
    Reconciler second = start();
    pass(200);
    assertThat(failure(second.started())).hasMessageContaining("Trust the cluster");
    Reconciler third = builder(ReconcilerTest::scheduler).trustCluster().start();
    pass(200);
    assertThat(third.started().toCompletableFuture()).isCompleted();
  }

  @Test
  void aManagerThatDoesNotAnswerChangesNothing() {
    manager.submit(1, 1, 60_000, 1);
    Reconciler reconciler = start();
    pass(2000);
    faults.observationsToFail = 20;
    pass(10_000);
    assertThat(reconciler.counts().failures()).containsKey("observing");
    assertThat(reconciler.loop().ask(scheduler -> scheduler.view().runningJobs()))
        .satisfies(
            jobs -> {
              time.run();
              assertThat(jobs.toCompletableFuture().join()).hasSize(1);
            });
  }

  @Test
  void usersAreToldWhyTheirJobsWaitAndNotToldAgainWhatTheyKnow() {
    manager.submit(2, 4, 60_000, 1);
    for (int i = 0; i < 30; i++) {
      manager.submit(1, 4, 1000, 1);
    }
    start();
    pass(30_000);
    long told = manager.log.stream().filter(line -> line.contains(" Explain[")).count();
    assertThat(told).isEqualTo(30);
  }

  @Test
  void itLooksAsOftenAsItIsAskedTo() {
    Reconciler reconciler =
        builder(ReconcilerTest::scheduler).lookEvery(Duration.ofSeconds(10)).start();
    pass(35_000);
    assertThat(reconciler.counts().passes()).isEqualTo(4);
  }

  @Test
  void aUserIsToldAtMostOnceAMinute() {
    manager.submit(2, 4, 300_000, 1);
    for (int i = 0; i < 12; i++) {
      manager.submit(1, 4, 1000, 1);
    }
    start();
    pass(10_000);
    manager.jobs().subList(1, 12).forEach(manager::cancel);
    pass(30_000);
    assertThat(manager.log.stream().filter(line -> line.contains(" Explain[job=13, "))).hasSize(1);
    pass(40_000);
    assertThat(manager.log.stream().filter(line -> line.contains(" Explain[job=13, "))).hasSize(2);
  }

  @Test
  void anExplanationIsEmptiedWhenItsJobStarts() {
    manager.submit(2, 4, 3000, 1);
    manager.submit(1, 4, 60_000, 1);
    start();
    pass(10_000);
    assertThat(manager.log.stream().filter(line -> line.contains(" Explain[job=2, ")))
        .last()
        .asString()
        .contains("text=]");
  }

  @Test
  void aNodeThatDrainsTakesNoJobs() {
    start();
    pass(1000);
    manager.drain(NodeId.of("n0"));
    manager.drain(NodeId.of("n1"));
    pass(2000);
    manager.submit(1, 1, 1000, 1);
    pass(2000);
    assertThat(manager.log).noneMatch(line -> line.contains("launch"));
  }

  @Test
  void aJobThatWasToStartElsewhereStartsOnceItIsHeldForLongerThanTheManagerTakesToSave() {
    start();
    pass(1000);
    JobId job = manager.submit(1, 4, 60_000, 1);
    for (int i = 0; i < 30 && manager.starts(job) == 0; i++) {
      pass(100);
    }
    manager.down(NodeId.of("n0"));
    pass(5000);
    assertThat(manager.log).anyMatch(line -> line.contains(" Hold[job=1]"));
    assertThat(manager.starts(job)).isEqualTo(1);
    pass(3000);
    assertThat(manager.log).anyMatch(line -> line.endsWith("launch 1 0 RUNNING [n1]"));
  }

  /** Its job was held for longer than the manager takes to save. */
  @Test
  void nothingStartsWhereAStartIsOnItsWay() {
    start();
    manager.submit(1, 4, 10_000, 1);
    manager.submit(1, 4, 14_000, 1);
    JobId late = manager.submit(1, 4, 30_000, 1);
    pass(11_000);
    faults.latency = 100;
    faults.commandsToDelay = 1;
    faults.delay = 15_000;
    pass(1000);
    assertThat(manager.starts(late)).isZero();
    manager.submitForeign(1, 4, 5000);
    JobId other = manager.submit(1, 4, 30_000, 1);
    pass(13_000);
    assertThat(manager.starts(other)).isZero();
    pass(60_000);
    assertThat(manager.starts(other)).isPositive();
  }

  @Test
  void aCommandThatComesOnceAnotherJobHasItsIdIsRefused() {
    Reconciler reconciler = start();
    pass(1000);
    faults.commandsToDelay = 1;
    faults.latency = 100;
    manager.submit(1, 1, 60_000, 1);
    pass(1000);
    manager.kill(0);
    JobId again = manager.submit(1, 1, 60_000, 1);
    pass(60_000);
    assertThat(again).isEqualTo(JobId.of("1"));
    assertThat(manager.broken).isEmpty();
    assertThat(reconciler.counts().refused()).containsKey("Start");
  }

  @Test
  void operatorsHearOfAFailureOnceAndOfItsEnd() {
    List<String> lines = new ArrayList<>();
    Reconciler reconciler =
        builder(ReconcilerTest::scheduler)
            .operator(lines::add)
            .illAfter(Duration.ofSeconds(5))
            .start();
    pass(2000);
    assertThat(reconciler.ill()).isEmpty();
    faults.observationsToFail = 10;
    pass(7000);
    assertThat(reconciler.ill().orElseThrow())
        .startsWith("no pass was complete for ")
        .endsWith("observing failed: no answer");
    pass(10_000);
    assertThat(reconciler.ill()).isEmpty();
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst()).isEqualTo("observing failed: no answer");
    assertThat(lines.getLast()).matches("the cluster manager answers again after \\d+ s");
  }

  @Test
  void whatIsDoneIsCounted() {
    manager.submit(1, 1, 1000, 1);
    Reconciler reconciler = start();
    pass(5000);
    assertThat(reconciler.counts().passes()).isPositive();
    assertThat(reconciler.counts().events()).containsEntry("JobSubmitted", 1L);
    assertThat(reconciler.counts().commands()).containsEntry("Start", 1L);
    assertThat(reconciler.counts().refused()).isEmpty();
  }
}
