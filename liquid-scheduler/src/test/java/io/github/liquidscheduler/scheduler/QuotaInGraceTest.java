package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Jobs that are stopping count for their queues until they have left. */
class QuotaInGraceTest {

  private static final PreemptionRules GRACE =
      PreemptionRules.NONE.gracePeriod(Duration.ofHours(1));

  private final Session two = session(8, 8);

  @Test
  void aStartWaitsForTheStoppingJobsThatHoldItsQuota() {
    reclaimAllOfGuests();
    two.finish("p1");

    assertThat(two.submit(aJob("g2", 8).queue("guests"))).containsExactly("start g2");
    assertThat(after()).containsExactly(JobId.of("g1"));
    assertThat(two.scheduler.status(JobId.of("g2")).orElseThrow())
        .isInstanceOf(JobStatus.Starting.class);
  }

  @Test
  void aStartThatTheQuotaAllowsBesideStoppingJobsWaitsForNobody() {
    two.on(queues(limited("guests", 10), QueueSpec.named("prod").withGpus(16)));
    submitAll();
    two.finish("p1");

    two.submit(aJob("g2", 2).queue("guests"));
    assertThat(after()).isEmpty();
    two.submit(aJob("g3", 1).queue("guests"));
    assertThat(after()).containsExactly(JobId.of("g1"));
  }

  @Test
  void whatAStoppingJobHoldsIsShownApartUntilItHasLeft() {
    reclaimAllOfGuests();
    assertThat(usage("guests")).isEqualTo(List.of(0.0, 8.0));

    two.on(new ClusterEvent.JobStopped(two.now(), JobId.of("g1")));
    assertThat(usage("guests")).isEqualTo(List.of(0.0, 0.0));
  }

  @Test
  void whatStopsOnALostNodeCountsNoLonger() {
    reclaimAllOfGuests();
    NodeId node =
        two.scheduler.view().placement(JobId.of("p2")).orElseThrow().tasks().getFirst().node();

    two.on(new ClusterEvent.NodeLost(two.now(), node));
    assertThat(usage("guests")).isEqualTo(List.of(0.0, 0.0));
  }

  @Test
  void aVictimAndWhoWaitsForItCountOnceForAQueueOfBoth() {
    two.on(
        queues(
            limited("lab", 8),
            QueueSpec.named("a").in("lab"),
            QueueSpec.named("b").in("lab").withGpus(8),
            QueueSpec.named("c")));
    two.submit(aJob("a1", 8).queue("a"));

    assertThat(two.submit(aJob("b1", 6).queue("b"))).containsExactly("preempt a1", "start b1");
    assertThat(after()).containsExactly(JobId.of("a1"));
    assertThat(usage("a")).isEqualTo(List.of(0.0, 8.0));
    assertThat(usage("b")).isEqualTo(List.of(6.0, 0.0));
    assertThat(usage("lab")).isEqualTo(List.of(6.0, 2.0));
    two.submit(aJob("b2", 2).queue("b"));
    assertThat(after()).containsExactly(JobId.of("a1"));
    assertThat(usage("lab")).isEqualTo(List.of(8.0, 0.0));
  }

  @Test
  void theLimitOfAParentHoldsForThoseWhoAreStoppingToo() {
    two.on(
        queues(
            limited("lab", 8),
            QueueSpec.named("guests").in("lab"),
            QueueSpec.named("prod").withGpus(16)));
    submitAll();
    two.finish("p1");

    assertThat(two.submit(aJob("g2", 8).queue("guests"))).containsExactly("start g2");
    assertThat(after()).containsExactly(JobId.of("g1"));
  }

  @Test
  void ofSeveralStoppingJobsOnlyThoseAreNamedWhoHoldEnough() {
    two.on(queues(limited("guests", 8), QueueSpec.named("prod").withGpus(16)));
    two.submit(aJob("g1", 2).queue("guests"));
    two.submit(aJob("g2", 6).queue("guests"));
    two.submit(aJob("p1", 8).queue("prod"));
    two.at(60).submit(aJob("p2", 8).queue("prod"));
    two.at(120).finish("p1");

    two.submit(aJob("g3", 5).queue("guests"));
    assertThat(after()).containsExactly(JobId.of("g2"));
    two.submit(aJob("g4", 3).queue("guests"));
    assertThat(after()).containsExactly(JobId.of("g1"), JobId.of("g2"));
  }

  @Test
  void aJobCountsForTheQueueThatItRanInUntilItHasStopped() {
    two.on(
        queues(limited("guests", 8), limited("others", 8), QueueSpec.named("prod").withGpus(16)));
    submitAll();
    two.finish("p1");
    two.on(new ClusterEvent.JobUpdated(two.now(), aJob("g1", 8).queue("others").build()));

    assertThat(usage("guests")).isEqualTo(List.of(0.0, 8.0));
    assertThat(usage("others")).isEqualTo(List.of(0.0, 0.0));
    Session restored = new Session(options(8, 8).restore(two.scheduler.snapshot()));
    restored.submit(aJob("g2", 8).queue("guests"));
    assertThat(((Decision.Start) restored.last().getFirst()).after())
        .containsExactly(JobId.of("g1"));
  }

  @Test
  void whoIsStoppingIsNotRejectedByQuotasThatForbidItAndGoesOnStopping() {
    reclaimAllOfGuests();
    QueueTree less =
        QueueTree.of(limited("guests", 4), QueueSpec.named("prod").withGpus(16))
            .rejectingBeyondQuotas();

    assertThat(two.on(new ClusterEvent.QueuesChanged(two.now(), less))).isEmpty();
    assertThat(two.scheduler.status(JobId.of("g1")).orElseThrow())
        .isInstanceOf(JobStatus.Stopping.class);
    assertThat(two.scheduler.status(JobId.of("p2")).orElseThrow())
        .isInstanceOf(JobStatus.Starting.class);
  }

  @Test
  void growthWaitsForTheStoppingJobsThatHoldItsQuota() {
    Session sizes =
        new Session(
            options(8, 8)
                .elasticity(
                    Elasticity.by(SizingPolicy.marginalGain())
                        .coolDown(Duration.ofSeconds(5))
                        .worthwhile(0)
                        .cost(ResizeCost.NONE)
                        .build())
                .build());
    sizes.on(queues(limited("guests", 8), QueueSpec.named("prod").withGpus(16)));
    sizes.submit(aJob("g1", 6).queue("guests"));
    sizes.submit(aJob("grows", 2).queue("guests").parallelism(Parallelism.between(1, 2, 8)));
    sizes.submit(aJob("p1", 6).queue("prod"));
    sizes.submit(aJob("p0", 2).queue("prod"));
    assertThat(sizes.at(60).submit(aJob("p2", 6).queue("prod"))).contains("preempt g1");
    sizes.at(120).finish("p1");

    Decision.Resize resize =
        sizes.last().stream()
            .filter(Decision.Resize.class::isInstance)
            .map(Decision.Resize.class::cast)
            .findFirst()
            .orElseThrow();
    assertThat(resize.after()).containsExactly(JobId.of("g1"));
  }

  /** Of 16 GPUs {@code guests} has held 8, which it gives back to {@code p2}. */
  private void reclaimAllOfGuests() {
    two.on(queues(limited("guests", 8), QueueSpec.named("prod").withGpus(16)));
    submitAll();
  }

  private void submitAll() {
    two.submit(aJob("g1", 8).queue("guests"));
    two.submit(aJob("p1", 8).queue("prod"));
    assertThat(two.submit(aJob("p2", 8).queue("prod"))).containsExactly("preempt g1", "start p2");
  }

  private List<JobId> after() {
    return two.last().stream()
        .filter(Decision.Start.class::isInstance)
        .map(decision -> ((Decision.Start) decision).after())
        .findFirst()
        .orElseThrow();
  }

  /** Returns what a queue holds, and what stopping jobs hold besides. */
  private List<Double> usage(String queue) {
    QueueStatus.Usage usage =
        Objects.requireNonNull(
            two.scheduler.queue(QueueName.of(queue)).orElseThrow().usage().get(QuotaResource.GPUS));
    return List.of(usage.held(), usage.stopping());
  }

  private static Session session(int... gpusOfNodes) {
    return new Session(options(gpusOfNodes).build());
  }

  private static LiquidScheduler.Builder options(int... gpusOfNodes) {
    return LiquidScheduler.builder(Session.cluster(gpusOfNodes))
        .policy(Policies.bestEffortFifo())
        .preemption(GRACE);
  }

  private static ClusterEvent queues(QueueSpec... queues) {
    return new ClusterEvent.QueuesChanged(Instant.EPOCH, QueueTree.of(queues));
  }

  private static QueueSpec limited(String name, int gpus) {
    return QueueSpec.named(name).with(QuotaResource.GPUS, QueueQuota.guaranteed(0).withLimit(gpus));
  }
}
