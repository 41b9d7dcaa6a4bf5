package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.DecayedUsage;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What queues have used of late counts when what is left over is divided. */
class DecayedUsageTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final Scheduler scheduler =
      LiquidScheduler.builder(Session.cluster(16)).policy(Policies.bestEffortFifo()).build();

  /** Queue a has all 16 GPUs for an hour, then queue b wants as many. */
  private void begin(QueueTree tree) {
    scheduler.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, tree));
    submitAll("a", Instant.EPOCH);
    submitAll("b", Instant.EPOCH.plus(HOUR));
  }

  private void submitAll(String queue, Instant at) {
    for (int job = 0; job < 16; job++) {
      scheduler.on(new ClusterEvent.JobSubmitted(at, aJob(queue + job, 1).queue(queue).build()));
    }
  }

  private static QueueTree equals() {
    return QueueTree.of(QueueSpec.named("a"), QueueSpec.named("b"));
  }

  private QueueStatus.Usage usage(String queue) {
    return Objects.requireNonNull(
        scheduler.queue(QueueName.of(queue)).orElseThrow().usage().get(QuotaResource.GPUS));
  }

  private List<Double> shares() {
    return List.of(usage("a").share(), usage("b").share());
  }

  @Test
  void withoutAHistoryQueuesOfEqualWeightHaveEqualShares() {
    begin(equals());

    assertThat(shares()).containsExactly(8.0, 8.0);
    assertThat(usage("a").recentPart()).isZero();
  }

  @Test
  void aQueueThatUsedEverythingYieldsToOneThatUsedNothing() {
    begin(equals().withDecayedUsage(DecayedUsage.ofHalfLife(HOUR)));

    assertThat(usage("a").recentPart()).isEqualTo(1);
    assertThat(shares()).containsExactly(0.0, 16.0);
    assertThat(usage("b").held()).isEqualTo(16);
  }

  @Test
  void whatWasUsedAHalfLifeAgoCountsHalf() {
    begin(equals().withDecayedUsage(DecayedUsage.ofHalfLife(HOUR)));

    scheduler.on(new ClusterEvent.TimePassed(Instant.EPOCH.plus(HOUR).plus(HOUR)));

    assertThat(usage("a").recentPart()).isEqualTo(1 / 3.0, Offset.offset(1e-12));
    assertThat(usage("b").recentPart()).isEqualTo(2 / 3.0, Offset.offset(1e-12));
    assertThat(shares()).containsExactly(11.0, 5.0);
  }

  @Test
  void theLessSensitiveTheMoreAreSharesByWeight() {
    begin(equals().withDecayedUsage(new DecayedUsage(HOUR, 0.5)));
    assertThat(shares()).containsExactly(4.0, 12.0);
  }

  @Test
  void whatIsGuaranteedDoesNotDependOnThePast() {
    QueueTree guaranteed = QueueTree.of(QueueSpec.named("a").withGpus(6), QueueSpec.named("b"));
    begin(guaranteed.withDecayedUsage(DecayedUsage.ofHalfLife(HOUR)));

    assertThat(shares()).containsExactly(6.0, 10.0);
  }

  @Test
  void aTreeThatChangesKeepsThePastOfItsQueues() {
    begin(equals().withDecayedUsage(DecayedUsage.ofHalfLife(HOUR)));
    QueueTree more =
        QueueTree.of(
            QueueSpec.named("c"), QueueSpec.named("a"), QueueSpec.named("b").withPriority(2));

    scheduler.on(
        new ClusterEvent.QueuesChanged(
            Instant.EPOCH.plus(HOUR), more.withDecayedUsage(DecayedUsage.ofHalfLife(HOUR))));

    assertThat(usage("a").recentPart()).isEqualTo(1);
    assertThat(usage("c").recentPart()).isZero();
  }
}
