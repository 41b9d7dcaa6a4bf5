package io.github.liquidscheduler.scheduler.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RankingTest {

  private static final Instant START = Instant.ofEpochSecond(100);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Ranks jobs by the seconds of the instant at which it is asked. */
  private record BySecond(Duration untilReview) implements SchedulingPolicy {
    @Override
    public String name() {
      return "by-second";
    }

    @Override
    public long rank(JobView job) {
      return job.now().getEpochSecond();
    }

    @Override
    public boolean allowsBypass() {
      return true;
    }

    @Override
    public Optional<Instant> nextReview(JobView job) {
      return Optional.of(job.now().plus(untilReview));
    }
  }

  private final JobEntry job =
      Entries.waiting(
          JobSpec.builder("j").gpus(1).expectedWork(ExpectedWork.ofDuration(MINUTE)), 0);

  @Test
  void aReviewIsDueFromItsInstantOn() {
    Ranking ranking = new Ranking(new BySecond(MINUTE), false);
    ranking.rank(job, START);
    ranking.add(job);

    assertThat(ranking.next()).contains(START.plus(MINUTE));
    assertThat(ranking.due(START.plus(MINUTE).minusNanos(1))).isNull();
    assertThat(ranking.due(START.plus(MINUTE))).isSameAs(job);
    ranking.remove(job);
    assertThat(ranking.next()).isEmpty();
  }

  @Test
  void aReviewThatIsNotAfterNowIsNone() {
    Ranking ranking = new Ranking(new BySecond(Duration.ZERO), false);
    ranking.rank(job, START);
    ranking.add(job);

    assertThat(job.review()).isNull();
    assertThat(ranking.next()).isEmpty();
  }

  @Test
  void aRankIsThatOfTheLastReview() {
    Ranking ranking = new Ranking(new BySecond(MINUTE), false);
    ranking.rank(job, START);
    assertThat(ranking.last(job, START.plus(MINUTE))).isEqualTo(100);

    new JobTransition(job, START).start(Entries.on("j", "n0", 0));
    assertThat(ranking.last(job, START.plus(MINUTE))).isEqualTo(100);
  }

  @Test
  void remainingTimeFallsForRunningJobsOnly() {
    Ranking ranking = new Ranking(Policies.shortestRemainingTimeFirst(), false);
    ranking.rank(job, START);
    Instant later = START.plusSeconds(20);
    assertThat(job.rank()).isEqualTo(MINUTE.toNanos());
    assertThat(ranking.last(job, later)).isEqualTo(MINUTE.toNanos());

    new JobTransition(job, START).start(Entries.on("j", "n0", 0));
    ranking.rank(job, START);

    assertThat(ranking.last(job, START)).isEqualTo(MINUTE.toNanos());
    assertThat(ranking.last(job, later)).isEqualTo(MINUTE.minusSeconds(20).toNanos());
    long standsAs = job.rank();
    ranking.rank(job, later);
    assertThat(job.rank()).isEqualTo(standsAs);
  }
}
