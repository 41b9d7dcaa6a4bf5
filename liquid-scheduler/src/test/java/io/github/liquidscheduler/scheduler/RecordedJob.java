package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import io.github.liquidscheduler.scheduling.JobRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What a policy may know of a recorded job at an instant, worked out from the record alone. */
record RecordedJob(JobRecord record, Instant now) implements JobView {

  @Override
  public JobSpec job() {
    return record.job();
  }

  @Override
  public Instant submittedAt() {
    return record.submittedAt();
  }

  @Override
  public Instant since() {
    return record.since();
  }

  @Override
  public boolean isRunning() {
    return record.placement().isPresent();
  }

  @Override
  public int gpus() {
    return record.placement().map(Placement::gpus).orElse(0);
  }

  @Override
  public Duration executed() {
    return record.executed().plus(runSince(record.since()));
  }

  @Override
  public Duration attained() {
    return record.attained().plus(runSince(record.since()).multipliedBy(gpus()));
  }

  @Override
  public Optional<Duration> remaining() {
    Optional<Duration> reported = record.remaining().map(left -> left.minus(runSince(lastKnown())));
    return reported
        .or(
            () ->
                job()
                    .expectedWork()
                    .flatMap(ExpectedWork::duration)
                    .map(expected -> expected.minus(executed())))
        .map(left -> left.isNegative() ? Duration.ZERO : left);
  }

  /** What remains was known last when the job reported it, or when it started after that. */
  private Instant lastKnown() {
    Instant reported = record.remainingAt().orElseThrow();
    return reported.isAfter(record.since()) ? reported : record.since();
  }

  private Duration runSince(Instant then) {
    return isRunning() ? Duration.between(then, now) : Duration.ZERO;
  }

  @Override
  public int preemptions() {
    return record.preemptions();
  }

  @Override
  public PolicyState standing() {
    return new PolicyState(record.level(), record.forgiven());
  }
}
