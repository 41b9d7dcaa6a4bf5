package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.policy.Policies;
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
  void onlyAWaitingJobCanBeRevised() {
    session.submit("running", 4);

    assertThatThrownBy(() -> update("running", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("only a waiting job can be updated, but job 'running' runs");
    assertThatThrownBy(() -> update("nobody", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("only a waiting job can be updated, but job 'nobody' is not known");
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
