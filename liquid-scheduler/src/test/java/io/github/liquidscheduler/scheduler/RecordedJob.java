package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What a policy may know of a saved job at an instant, worked out from what was saved alone. */
record RecordedJob(Map<String, Object> saved, Instant now) implements JobView {

  @Override
  public JobSpec job() {
    return (JobSpec) value("job");
  }

  @Override
  public Instant submittedAt() {
    return Instant.parse(text("submittedAt"));
  }

  @Override
  public Instant since() {
    return Instant.parse(text("since"));
  }

  @Override
  public boolean isRunning() {
    return saved.containsKey("placement");
  }

  @Override
  public int gpus() {
    return isRunning() ? ((Placement) value("placement")).gpus() : 0;
  }

  @Override
  public Duration executed() {
    return Duration.parse(text("executed")).plus(runSince(since()));
  }

  @Override
  public Duration attained() {
    return Duration.parse(text("attained")).plus(runSince(since()).multipliedBy(gpus()));
  }

  @Override
  public Optional<Duration> remaining() {
    return (saved.containsKey("remaining") ? Optional.of(reported()) : expected())
        .map(left -> left.isNegative() ? Duration.ZERO : left);
  }

  /** What the job reported, known last when it did, or when it started after that. */
  private Duration reported() {
    Instant reportedAt = Instant.parse(text("remainingAt"));
    Instant known = reportedAt.isAfter(since()) ? reportedAt : since();
    return Duration.parse(text("remaining")).minus(runSince(known));
  }

  private Optional<Duration> expected() {
    return job()
        .expectedWork()
        .flatMap(ExpectedWork::duration)
        .map(expected -> expected.minus(executed()));
  }

  private Duration runSince(Instant then) {
    return isRunning() ? Duration.between(then, now) : Duration.ZERO;
  }

  @Override
  public int preemptions() {
    return ((Long) value("preemptions")).intValue();
  }

  @Override
  public PolicyState policyState() {
    int level = ((Long) value("level")).intValue();
    return new PolicyState(level, Duration.parse(text("forgiven")));
  }

  private String text(String name) {
    return value(name).toString();
  }

  private Object value(String name) {
    return Objects.requireNonNull(saved.get(name), name);
  }
}
