package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.ResizeStep;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs of several sizes in queues on four GPUs. */
class ElasticQueuesTest {

  private final Session session = session();

  private static Session session() {
    return new Session(
        LiquidScheduler.builder(Session.cluster(4))
            .policy(Policies.priority())
            .elasticity(
                Elasticity.by(SizingPolicy.marginalGain())
                    .coolDown(Duration.ofSeconds(1))
                    .worthwhile(0)
                    .cost(ResizeCost.NONE)
                    .build())
            .build());
  }

  @Test
  void aQueueLosesWhatItsJobsHaveAboveTheirMinimumFirst() {
    queues(QueueSpec.named("a"), QueueSpec.named("b").withGpus(2));
    submit("a", "old", 1, 2);
    submit("a", "young", 1, 2);
    session.at(10);

    session.submit(JobSpec.builder("mine").gpus(2).queue("b"));

    assertThat(sizes("young", "old")).containsExactly(1, 1);
    assertThat(session.scheduler.view().placement(JobId.of("mine"))).isPresent();
  }

  @Test
  void aQueueWithinItsGuaranteeKeepsGangsAtTheirMinimum() {
    queues(QueueSpec.named("a").withGpus(3), QueueSpec.named("b").withGpus(2));
    submit("a", "gang", 3, 4);
    session.at(10);

    assertThat(session.submit(JobSpec.builder("mine").gpus(2).queue("b"))).isEmpty();
    assertThat(sizes("gang")).containsExactly(4);
  }

  @Test
  void surplusGoesToJobsOfEveryQueue() {
    for (Reclaiming reclaiming : Reclaiming.values()) {
      for (String queue : List.of("a", "b")) {
        Session all = session();
        all.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, tree(reclaiming)));
        all.submit(large());
        assertThat(all.at(10).pass()).containsExactly("resize large to 4");
        all.on(
            new ClusterEvent.ResizeReported(all.now(), JobId.of("large"), 1, ResizeStep.SWITCHED));

        assertThat(all.at(20).submit(JobSpec.builder("guest").gpus(1).queue(queue)))
            .as("%s, queue %s", reclaiming, queue)
            .containsExactly("resize large to 3", "start guest");
      }
    }
  }

  /** Returns queues of which nothing is due to the second one, though it may use what is idle. */
  private static QueueTree tree(Reclaiming reclaiming) {
    QueueSpec other = QueueSpec.named("b");
    return QueueTree.of(
            QueueSpec.named("a"),
            reclaiming.lends()
                ? other
                : other.with(QuotaResource.GPUS, QueueQuota.BEST_EFFORT.withWeight(0)))
        .with(reclaiming);
  }

  @Test
  void surplusGoesToAJobOfAQueueAtItsLimit() {
    queues(QueueSpec.named("a").with(QuotaResource.GPUS, QueueQuota.BEST_EFFORT.withLimit(3)));
    session.submit(large());
    assertThat(session.at(10).pass()).containsExactly("resize large to 3");
    session.on(
        new ClusterEvent.ResizeReported(session.now(), JobId.of("large"), 1, ResizeStep.SWITCHED));

    assertThat(session.at(20).submit(JobSpec.builder("guest").gpus(1).queue("a")))
        .containsExactly("resize large to 2", "start guest");
  }

  private static JobSpec.Builder large() {
    return JobSpec.builder("large").gpus(2).queue("a").parallelism(Parallelism.between(1, 2, 4));
  }

  @Test
  void higherPriorityTakesTheSurplusOfItsOwnQueueFirst() {
    queues(QueueSpec.named("a"));
    submit("a", "low", 2, 4);
    session.at(10);

    session.submit(JobSpec.builder("high").gpus(2).queue("a").priority(1));

    assertThat(sizes("low")).containsExactly(2);
    assertThat(session.last()).noneMatch(Decision.Preempt.class::isInstance);
  }

  @Test
  void nobodyGrowsBeyondTheLimitOfItsQueue() {
    queues(QueueSpec.named("a").with(QuotaResource.GPUS, QueueQuota.guaranteed(0).withLimit(2)));
    session.submit(
        JobSpec.builder("one").gpus(1).queue("a").parallelism(Parallelism.between(1, 1, 4)));

    session.at(10).on(new ClusterEvent.TimePassed(Instant.ofEpochSecond(10)));

    assertThat(sizes("one").getFirst()).isLessThanOrEqualTo(2);
  }

  @Test
  void aGangInSlicesLeavesAsAWhole() {
    queues(QueueSpec.named("a"), QueueSpec.named("b").withGpus(2));
    session.submit(
        JobSpec.builder("gang")
            .gpus(4)
            .queue("a")
            .parallelism(new Parallelism(List.of(2, 4), 4))
            .topology(TopologyConstraint.NONE.andSlices(2, "node")));
    session.at(10);

    session.submit(JobSpec.builder("mine").gpus(2).queue("b"));

    assertThat(session.last()).anyMatch(Decision.Preempt.class::isInstance);
    assertThat(session.scheduler.view().placement(JobId.of("mine"))).isPresent();
  }

  @Test
  void whoseSizeMayNotChangeYetLeavesAsAWhole() {
    queues(QueueSpec.named("a"), QueueSpec.named("b").withGpus(2));
    submit("a", "gang", 2, 4);

    session.submit(JobSpec.builder("mine").gpus(2).queue("b"));

    assertThat(session.last()).anyMatch(Decision.Preempt.class::isInstance);
    assertThat(session.scheduler.view().placement(JobId.of("mine"))).isPresent();
  }

  @Test
  void aJobStartsAtTheLargestSizeThatItsQueueMayHold() {
    queues(QueueSpec.named("a").with(QuotaResource.GPUS, QueueQuota.guaranteed(0).withLimit(3)));

    submit("a", "one", 1, 4);
    submit("a", "two", 1, 4);

    assertThat(sizes("one")).containsExactly(3);
    assertThat(session.waiting()).containsExactly("two");
  }

  private void queues(QueueSpec... queues) {
    session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, QueueTree.of(queues)));
  }

  private void submit(String queue, String job, int least, int most) {
    session.submit(
        JobSpec.builder(job)
            .gpus(most)
            .queue(queue)
            .parallelism(Parallelism.between(least, most, most)));
  }

  private List<Integer> sizes(String... jobs) {
    return Arrays.stream(jobs)
        .map(job -> session.scheduler.view().placement(JobId.of(job)).orElseThrow().gpus())
        .toList();
  }
}
