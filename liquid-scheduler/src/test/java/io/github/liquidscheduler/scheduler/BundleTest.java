package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.ForwardingPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.RefusedEventException;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.StaleEventException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a look at the whole cluster has found is decided about once. */
class BundleTest {

  private static final Instant NOW = Instant.ofEpochSecond(10);

  private final Session session = Session.of(Policies.bestEffortFifo(), 4, 4);

  /** Two of them start. */
  private void submitThree() {
    session.submit("a", 4);
    session.submit("b", 4);
    session.submit("c", 4);
  }

  private static ClusterEvent finished(String job) {
    return new ClusterEvent.JobFinished(NOW, JobId.of(job));
  }

  @Test
  void nothingStartsThatTheNextEventContradicts() {
    submitThree();
    ClusterEvent lost = new ClusterEvent.NodeLost(NOW, NodeId.of("n0"));

    assertThat(session.scheduler.copy().on(finished("a"))).hasSize(1);
    assertThat(session.scheduler.on(List.of(finished("a"), lost))).isEmpty();
    assertThat(session.scheduler.waiting()).containsExactly(JobId.of("c"));
  }

  @Test
  void aListOfOneIsItsEvent() {
    session.submit("a", 4);
    session.submit("b", 8);

    assertThat(session.scheduler.on(List.of(finished("a")))).hasSize(1);
    assertThatExceptionOfType(StaleEventException.class)
        .isThrownBy(() -> session.scheduler.on(List.of(finished("a"))));
  }

  @Test
  void theEventThatIsRefusedIsNamedAndNoneIsTaken() {
    submitThree();
    ClusterEvent bad = new ClusterEvent.NodeReturned(NOW, NodeId.of("n1"));
    SchedulerSnapshot before = session.scheduler.snapshot();

    assertThatExceptionOfType(RefusedEventException.class)
        .isThrownBy(
            () -> session.scheduler.on(List.of(finished("a"), finished("b"), bad, finished("c"))))
        .withMessageContaining("of 4 events the one of index 2 was")
        .withMessageContaining(bad.toString())
        .satisfies(refused -> assertThat(refused.index()).isEqualTo(2))
        .withCauseInstanceOf(IllegalArgumentException.class);
    assertThat(session.scheduler.snapshot()).isEqualTo(before);
    assertThat(session.scheduler.on(List.of(finished("a"), finished("b")))).hasSize(1);
  }

  @Test
  void aQuestionAboutABundleChangesNothing() {
    submitThree();
    ClusterEvent ends = ClusterEvent.together(List.of(finished("a"), finished("b")));
    ClusterEvent bad = ClusterEvent.together(List.of(finished("a"), finished("c")));
    SchedulerSnapshot before = session.scheduler.snapshot();

    assertThat(session.scheduler.whatIf(List.of(ends), 0).steps())
        .singleElement()
        .satisfies(step -> assertThat(step.decisions()).hasSize(1));
    assertThatExceptionOfType(RefusedEventException.class)
        .isThrownBy(() -> session.scheduler.whatIf(List.of(bad), 0));
    assertThat(session.scheduler.snapshot()).isEqualTo(before);
  }

  @Test
  void anEventThatComesTooLateIsTheCause() {
    session.submit("a", 4);

    assertThatExceptionOfType(RefusedEventException.class)
        .isThrownBy(() -> session.scheduler.on(List.of(finished("a"), finished("a"))))
        .withCauseInstanceOf(StaleEventException.class);
  }

  @Test
  void timePassesFromEventToEvent() {
    ClusterEvent end = finished("a");
    ClusterEvent later = new ClusterEvent.TimePassed(NOW.plusSeconds(5));
    session.submit("a", 4);

    session.scheduler.on(List.of(end, later));

    assertThat(session.scheduler.snapshot().now()).isEqualTo(later.at());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.scheduler.on(List.of(later, end)))
        .withMessageContaining("order of their times");
  }

  @Test
  void theLargestTimeStepIsThatFromEventToEvent() {
    LiquidScheduler scheduler =
        LiquidScheduler.builder(Session.cluster(4))
            .policy(Policies.fifo())
            .largestTimeStep(Duration.ofSeconds(5))
            .build();
    ClusterEvent now = new ClusterEvent.TimePassed(NOW);
    ClusterEvent soon = new ClusterEvent.TimePassed(NOW.plusSeconds(4));
    ClusterEvent later = new ClusterEvent.TimePassed(NOW.plusSeconds(8));
    ClusterEvent wrong = new ClusterEvent.TimePassed(NOW.plusSeconds(14));

    scheduler.on(now);
    scheduler.on(List.of(soon, later));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.on(List.of(later, wrong)))
        .withMessageContaining("at most PT5S after the one before it");
  }

  @Test
  void whatHasToComeAloneIsRefused() {
    ClusterEvent time = new ClusterEvent.TimePassed(NOW);
    ClusterEvent bundle = new ClusterEvent.Bundle(List.of(time, time));
    ClusterEvent report = new ClusterEvent.JobProgressed(NOW, JobId.of("a"), Progress.of(1, 2));

    for (ClusterEvent alone : List.of(bundle, report)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> session.scheduler.on(List.of(time, alone)))
          .withMessageContaining("must come alone");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.scheduler.on(List.of()))
        .withMessageContaining("at least 2 events, but had 0");
  }

  /** Without bundles each event about a node has every waiting job of a full cluster tried. */
  @Test
  void sixtyEventsAskThePlacerAsOftenAsOne() {
    int[] gpus = new int[100];
    Arrays.fill(gpus, 4);
    Counting placer = new Counting();
    LiquidScheduler scheduler =
        LiquidScheduler.builder(Session.cluster(gpus))
            .policy(Policies.fifo())
            .placer(placer)
            .backfill(Backfill.easy())
            .build();
    for (int i = 0; i < 120; i++) {
      JobSpec job = Session.aJobOf("j" + i, 4, 1000 + i).build();
      scheduler.on(new ClusterEvent.JobSubmitted(Instant.EPOCH, job));
    }
    List<ClusterEvent> draining =
        IntStream.range(0, 60)
            .<ClusterEvent>mapToObj(
                node -> new ClusterEvent.NodeDraining(NOW, NodeId.of("n" + node)))
            .toList();
    Scheduler oneByOne = scheduler.copy();
    List<Long> calls =
        draining.stream().map(event -> placer.during(() -> oneByOne.on(event))).toList();
    long together = placer.during(() -> scheduler.on(draining));

    assertThat(together).isLessThanOrEqualTo(Collections.max(calls));
    assertThat(calls.stream().mapToLong(each -> each).sum()).isGreaterThan(10 * together);
    assertThat(scheduler.reservedStarts()).isEqualTo(oneByOne.reservedStarts());
  }

  private static final class Counting implements ForwardingPlacer {
    private long calls;

    long during(Runnable turn) {
      long before = calls;
      turn.run();
      return calls - before;
    }

    @Override
    public Placer placer() {
      return Placers.bestFit();
    }

    @Override
    public Optional<Placement> place(ClusterView view, JobSpec job) {
      calls++;
      return placer().place(view, job);
    }
  }
}
