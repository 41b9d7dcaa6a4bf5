package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** What every policy promises. */
@ParameterizedClass
@FieldSource("POLICIES")
class SchedulingPolicyContract {

  static final List<SchedulingPolicy> POLICIES = EventSequence.POLICIES;

  private final SchedulingPolicy policy;
  private final Session session;

  SchedulingPolicyContract(SchedulingPolicy policy) {
    this.policy = policy;
    session = Session.of(policy, 4, 4);
  }

  @Test
  void aJobThatFitsStarts() {
    assertThat(session.submit("a", 8)).containsExactly("start a");
    assertThat(session.last().get(0).why()).isEqualTo(new Reason.Scheduled(policy.name(), 0));
  }

  @Test
  void aJobThatDoesNotFitWaitsAndStartsWhenItDoes() {
    session.submit("a", 8);

    assertThat(session.submit("b", 8)).isEmpty();
    assertThat(session.finish("a")).containsExactly("start b");
  }

  @Test
  void equalJobsGoInTheOrderOfTheirSubmission() {
    session.submit(aJobOf("running", 8, 60));
    for (String id : List.of("10", "9", "2", "1")) {
      session.submit(aJobOf(id, 8, 60));
    }

    assertThat(session.waiting()).containsExactly("10", "9", "2", "1");
  }

  @Test
  void noJobIsStoppedForAnEqual() {
    session.submit(aJobOf("a", 8, 60));

    assertThat(session.submit(aJobOf("b", 8, 60))).isEmpty();
  }

  @Test
  void aJobThatLostItsNodeGoesBeforeLaterEquals() {
    session.submit(aJobOf("a", 4, 60));
    session.submit(aJobOf("b", 4, 60));
    session.submit(aJobOf("c", 4, 60));
    session.lose("n0");

    assertThat(session.waiting()).containsExactly("a", "c");
  }

  @Test
  void aWaitingJobsRankChangesAtReviewsOnly() {
    session.submit(aJobOf("a", 8, 1000));
    JobEntry job = new JobEntry(session.record("a"));
    job.stop(Instant.ofEpochSecond(500), true);
    JobView soon = job.at(Instant.ofEpochSecond(501));
    JobView later = job.at(Instant.ofEpochSecond(600));

    assertThat(policy.rank(later)).isEqualTo(policy.rank(soon));
    assertThat(policy.nextReview(later)).isEqualTo(policy.nextReview(soon));
  }

  @Test
  void aRunningJobsRankIsConstantOrFallsWithTime() {
    session.submit(aJobOf("a", 8, 1000));
    JobEntry job = new JobEntry(session.record("a"));
    JobView soon = job.at(Instant.ofEpochSecond(1));
    JobView later = job.at(Instant.ofEpochSecond(11));

    assertThat(policy.rank(soon) - policy.rank(later))
        .isEqualTo(policy.isRemainingTime() ? 10_000_000_000L : 0);
    assertThat(policy.nextReview(later)).isEqualTo(policy.nextReview(soon));
  }

  @Test
  void aStopDoesNotChangeTheRankAtThatInstant() {
    session.submit(aJobOf("a", 8, 1000));
    JobEntry job = new JobEntry(session.record("a"));
    Instant now = Instant.ofEpochSecond(77);
    long running = policy.rank(job.at(now));
    job.stop(now, true);

    assertThat(policy.rank(job.at(now))).isEqualTo(running);
  }
}
