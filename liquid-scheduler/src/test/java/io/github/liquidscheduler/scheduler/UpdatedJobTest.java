package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobFailed;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobUpdated;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UpdatedJobTest {

  private final Session session = Session.of(Policies.fifo(), 4);

  @Test
  void aWaitingJobThatAsksForLessStartsWhereItFits() {
    session.submit("running", 3);
    session.submit("head", 2);

    assertThat(update("head", 1)).containsExactly("start head");
  }

  @Test
  void aWaitingJobThatAsksForMoreKeepsItsPlace() {
    session.submit("running", 3);
    session.submit("head", 2);
    session.submit("next", 1);

    assertThat(update("head", 4)).isEmpty();
    assertThat(session.waiting()).containsExactly("head", "next");
  }

  @Test
  void aWaitingJobUpdatedBeyondTheClusterIsRejected() {
    session.submit("running", 4);
    session.submit("head", 2);
    session.submit("next", 1);

    assertThat(update("head", 5)).containsExactly("reject head");
    assertThat(session.waiting()).containsExactly("next");
  }

  @Test
  void aJobThatFailsAndAsksForMoreIsNotTriedWithLessAgain() {
    session.submit("running", 2);
    session.submit("failing", 2);

    assertThat(fail("failing", 3)).isEmpty();
    assertThat(session.finish("running")).containsExactly("start failing");
    assertThat(fail("failing", 5)).containsExactly("reject failing");
  }

  @Test
  void onlyAJobThatIsTriedAgainCanBeRevisedAsItFails() {
    assertThatThrownBy(
            () ->
                new JobFailed(
                    Instant.EPOCH,
                    JobId.of("a"),
                    Failure.OUT_OF_MEMORY,
                    Retry.now(),
                    Optional.of(aJob("b", 1).build())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "only a job that is tried again can be updated, under its own id, but was 'b', retry"
                + " true, for job 'a'");
  }

  @Test
  void aRunningJobMayNotAskForOtherTasks() {
    session.submit("running", 4);

    assertThatThrownBy(() -> update("running", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "an update of a running job must leave what its tasks request, but job 'running' has");
    assertThatThrownBy(() -> update("nobody", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "only a waiting or running job can be updated, but job 'nobody' is not known");
  }

  @Test
  void aRunningJobOfLessPriorityThanBeforeIsPreemptedAtOnce() {
    Session byPriority = Session.of(Policies.priority(), 4);
    byPriority.submit(aJob("running", 4).priority(5));
    byPriority.submit(aJob("waiting", 4).priority(3));

    assertThat(byPriority.at(10).update(aJob("running", 4).priority(1)))
        .containsExactly("preempt running", "start waiting");
  }

  @Test
  void aRunningJobOfMorePriorityThanBeforeIsKept() {
    Session byPriority = Session.of(Policies.priority(), 4);
    byPriority.submit(aJob("running", 4).priority(1));
    byPriority.at(10).update(aJob("running", 4).priority(9));

    assertThat(byPriority.at(20).submit(aJob("waiting", 4).priority(3))).isEmpty();
  }

  @Test
  void aRunningJobThatEntersAnotherQueueFreesTheQuotaOfItsOwn() {
    Session queues = Session.of(Policies.fifo(), 8);
    queues.on(
        new ClusterEvent.QueuesChanged(
            Instant.EPOCH, QueueTree.of(limited("a", 4), limited("b", 4))));
    queues.submit(aJob("a1", 4).queue("a"));
    queues.submit(aJob("a2", 4).queue("a"));

    assertThat(queues.update(aJob("a1", 4).queue("b"))).containsExactly("start a2");
    assertThat(queues.submit(aJob("b1", 1).queue("b"))).isEmpty();
    assertThat(queues.finish("a1")).containsExactly("start b1");
  }

  @Test
  void aRunningJobThatIsExpectedToEndLaterLetsABackfilledJobStart() {
    Session backfill =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.fifo())
                .backfill(Backfill.easy())
                .build());
    backfill.submit(aJobOf("running", 2, 100));
    backfill.submit(aJobOf("large", 4, 100));
    backfill.submit(aJobOf("small", 2, 200));
    assertThat(backfill.waiting()).containsExactly("large", "small");

    assertThat(backfill.update(aJobOf("running", 2, 300))).containsExactly("start small");
  }

  private static QueueSpec limited(String name, int gpus) {
    return QueueSpec.named(name)
        .with(QuotaResource.GPUS, QueueQuota.guaranteed(gpus).withLimit(gpus));
  }

  private List<String> fail(String job, int gpus) {
    return session.on(
        new JobFailed(
            Instant.EPOCH,
            JobId.of(job),
            Failure.OUT_OF_MEMORY,
            Retry.now(),
            Optional.of(aJob(job, gpus).build())));
  }

  private List<String> update(String job, int gpus) {
    return session.on(new JobUpdated(Instant.EPOCH, aJob(job, gpus).build()));
  }
}
