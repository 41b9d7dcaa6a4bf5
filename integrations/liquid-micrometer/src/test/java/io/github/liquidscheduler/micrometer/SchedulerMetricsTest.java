package io.github.liquidscheduler.micrometer;

import static io.github.liquidscheduler.micrometer.MeteredScheduler.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.StaleEventException;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SchedulerMetricsTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final SchedulerMetrics metrics =
      SchedulerMetrics.builder(registry).lookEvery(Duration.ZERO).explained(3).build();
  private final MeteredScheduler cluster = new MeteredScheduler(metrics);

  private double gauge(String name, String tag, String value) {
    return registry.get(name).tag(tag, value).gauge().value();
  }

  private double count(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }

  @Test
  void turnsAreTimedByKindOfEvent() {
    cluster.submit("a", 4, 0).submit("b", 4, 0).finish("a");

    assertThat(registry.get("liquid.turn.latency").tag("event", "job-submitted").timer())
        .satisfies(
            timer -> {
              assertThat(timer.count()).isEqualTo(2);
              assertThat(timer.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(12);
            });
    assertThat(
            registry
                .get("liquid.turn.deciding")
                .tag("event", "job-finished")
                .timer()
                .totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(2);
  }

  @Test
  void decisionsAndTheRulesThatPreemptAreCounted() {
    cluster.submit("low", 8, 0).after(Duration.ofSeconds(1)).submit("high", 4, 1);

    assertThat(count("liquid.decisions", "decision", "start")).isEqualTo(2);
    assertThat(count("liquid.decisions", "decision", "preempt")).isEqualTo(1);
    assertThat(count("liquid.preemptions", "rule", "preempted-by-priority")).isEqualTo(1);
  }

  @Test
  void jobsAreCountedByState() {
    cluster.submit("a", 8, 0).submit("b", 8, 0).submit("c", 8, 0);

    assertThat(gauge("liquid.jobs", "state", "waiting")).isEqualTo(2);
    assertThat(gauge("liquid.jobs", "state", "running")).isEqualTo(1);
  }

  @Test
  void everyGpuCountsInOneState() {
    cluster.submit("a", 3, 0);
    assertGpus(5, 3, 0, 0);

    cluster.on(new ClusterEvent.GpuLost(NOON, GpuId.of("node-1", 2)));
    assertGpus(4, 3, 0, 1);
    cluster.on(new ClusterEvent.NodeDraining(NOON, NodeId.of("node-0")));
    assertGpus(3, 0, 4, 1);
    cluster.on(new ClusterEvent.NodeLost(NOON, NodeId.of("node-1")));
    assertGpus(0, 0, 4, 4);
    cluster.on(new ClusterEvent.NodeReturned(NOON, NodeId.of("node-1")));
    cluster.on(new ClusterEvent.GpuReturned(NOON, GpuId.of("node-1", 2)));
    cluster.on(new ClusterEvent.NodeReturned(NOON, NodeId.of("node-0")));
    assertGpus(5, 3, 0, 0);
  }

  private void assertGpus(int free, int used, int draining, int lost) {
    assertThat(List.of("free", "used", "draining", "lost"))
        .map(state -> (int) gauge("liquid.gpus", "state", state))
        .containsExactly(free, used, draining, lost);
  }

  @Test
  void aGpuThatWasLostBeforeTheFirstLookCounts() {
    cluster.scheduler.on(new ClusterEvent.GpuLost(NOON, GpuId.of("node-0", 0)));

    cluster.pass();

    assertGpus(7, 0, 0, 1);
  }

  @Test
  void aSurveySaysWhatTheFirstWaitingJobsWaitFor() {
    cluster.submit("a", 8, 0).submit("b", 8, 0).submit("c", 1, 0).submit("d", 1, 0);
    for (int i = 0; i < 6; i++) {
      cluster.pass();
    }

    assertThat(gauge("liquid.jobs.explained", "constraint", "gpus")).isEqualTo(3);
    cluster.finish("a");
    for (int i = 0; i < 6; i++) {
      cluster.pass();
    }
    assertThat(gauge("liquid.jobs.explained", "constraint", "gpus")).isEqualTo(2);
  }

  @Test
  void theClusterIsLookedAtOnceInAWhile() {
    SimpleMeterRegistry other = new SimpleMeterRegistry();
    MeteredScheduler slow =
        new MeteredScheduler(
            SchedulerMetrics.builder(other).lookEvery(Duration.ofSeconds(15)).build());

    slow.pass().after(Duration.ofSeconds(14)).submit("a", 1, 0);
    assertThat(other.get("liquid.jobs").tag("state", "running").gauge().value()).isZero();
    slow.after(Duration.ofSeconds(1)).pass();
    assertThat(other.get("liquid.jobs").tag("state", "running").gauge().value()).isEqualTo(1);
  }

  @Test
  void launchesLastFromTheDecisionUntilTheJobRuns() {
    cluster.submit("a", 8, 0).after(Duration.ofSeconds(2)).begin("a").begin("a");
    cluster.after(Duration.ofMinutes(1)).submit("high", 8, 1);
    cluster.after(Duration.ofSeconds(4)).begin("high");

    assertThat(registry.get("liquid.job.launch").timer().totalTime(TimeUnit.SECONDS)).isEqualTo(6);
    assertThat(registry.get("liquid.job.launch").timer().count()).isEqualTo(2);
  }

  @Test
  void waitsLastUntilTheFirstStart() {
    cluster.submit("a", 8, 0).submit("b", 8, 0);
    cluster.after(Duration.ofMinutes(5)).finish("a");

    assertThat(registry.get("liquid.job.wait").timer().totalTime(TimeUnit.MINUTES)).isEqualTo(5);
    assertThat(registry.get("liquid.job.wait").timer().count()).isEqualTo(2);
  }

  @Test
  void eventsOfABundleCountAsIfTheyHadComeAlone() {
    cluster.submit("a", 8, 0).submit("b", 4, 0).after(Duration.ofMinutes(5));
    ClusterEvent end = new ClusterEvent.JobFinished(cluster.now(), JobId.of("a"));
    ClusterEvent lost = new ClusterEvent.GpuLost(cluster.now(), new GpuId(NodeId.of("node-0"), 0));
    cluster.on(ClusterEvent.together(List.of(end, lost)));
    cluster.on(ClusterEvent.together(List.of(lost, end)));

    assertThat(registry.get("liquid.job.wait").timer().count()).isEqualTo(2);
    assertThat(gauge("liquid.gpus", "state", "lost")).isEqualTo(1);
    assertThat(registry.get("liquid.predictor.error").summary().max()).isEqualTo(1);
    assertThat(count("liquid.events.refused", "event", "bundle", "cause", "invalid")).isEqualTo(1);
    cluster.on(ClusterEvent.together(List.of(end, end)));
    assertThat(count("liquid.events.refused", "event", "bundle", "cause", "stale")).isEqualTo(1);
  }

  @Test
  void theErrorOfAnExpectedDurationIsAPartOfTheMeasuredOne() {
    cluster.submit("a", 8, 0).after(Duration.ofMinutes(8)).finish("a");

    assertThat(registry.get("liquid.predictor.error").tag("predictor", "duration").summary().max())
        .isEqualTo(.25, within(1e-9));
  }

  @Test
  void jobsThatWereInterruptedSayNothingOfTheirDurations() {
    cluster.submit("a", 4, 0).submit("b", 4, 0);
    Retry now = Retry.now();
    cluster.on(new ClusterEvent.JobFailed(NOON, JobId.of("a"), Failure.NOT_STARTED, now));
    cluster.on(new ClusterEvent.NodeLost(NOON, NodeId.of("node-1")));
    cluster.after(Duration.ofHours(1)).finish("a");
    cluster.finish("b");

    assertThat(registry.find("liquid.predictor.error").summary()).isNull();
  }

  @Test
  void predictionsOfOthersAreAddedByName() {
    metrics.predicted("memory", 30, 40);
    metrics.predicted("memory", 30, 0);

    assertThat(registry.get("liquid.predictor.error").tag("predictor", "memory").summary())
        .satisfies(
            errors -> {
              assertThat(errors.count()).isEqualTo(1);
              assertThat(errors.max()).isEqualTo(.25);
            });
    assertThatThrownBy(() -> metrics.predicted("memory", Double.NaN, 1))
        .hasMessage(
            "predicted and measured values must be finite, but were NaN and 1.0, of predictor"
                + " 'memory'");
  }

  @Test
  void theGapOfAPlanIsRecorded() {
    PlanCertificate certificate = new PlanCertificate(10, 12, 8, 5, List.of());
    cluster.on(
        new ClusterEvent.PlanProposed(
            NOON, new BatchPlan(0, List.of(), List.of(), List.of(), certificate)));

    assertThat(registry.get("liquid.plan.gap").summary().max()).isEqualTo(.2, within(1e-9));
  }

  @Test
  void refusalsAreCountedByCause() {
    ClusterEvent event = new ClusterEvent.JobFinished(NOON, JobId.of("a"));
    cluster.on(event);
    metrics.refused(event, new StaleEventException(JobId.of("a"), "late"));
    metrics.refused(event, new PluginFailedException(event, new IllegalStateException()));

    for (String cause : List.of("invalid", "stale", "plugin")) {
      assertThat(count("liquid.events.refused", "event", "job-finished", "cause", cause))
          .isEqualTo(1);
    }
  }

  @Test
  void whatTheLoopTellsIsCounted() {
    metrics.superseded(3);
    metrics.queue(() -> 7);
    Decision decision = new Decision.Preempt(JobId.of("a"), new Reason.MadeSmaller(JobId.of("b")));
    metrics.handlerFailed(decision, new IllegalStateException());

    assertThat(count("liquid.events.superseded")).isEqualTo(3);
    assertThat(registry.get("liquid.events.queued").gauge().value()).isEqualTo(7);
    assertThat(count("liquid.handler.failures", "decision", "preempt")).isEqualTo(1);
  }

  @Test
  void everyMeterCarriesTheTagsOfItsCluster() {
    SimpleMeterRegistry tagged = new SimpleMeterRegistry();
    SchedulerMetrics of = SchedulerMetrics.builder(tagged).tag("cluster", "east").build();
    new MeteredScheduler(of).submit("a", 4, 0);

    assertThat(tagged.getMeters())
        .hasSizeGreaterThan(20)
        .map(Meter::getId)
        .allMatch(id -> "east".equals(id.getTag("cluster")));
  }
}
