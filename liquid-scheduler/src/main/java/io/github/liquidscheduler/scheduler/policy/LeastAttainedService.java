package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Discretised two-dimensional least attained service (Gu et al., Tiresias, NSDI 2019, section 3.2).
 * A job's service is its attained GPU time less the amount forgiven at its last promotion; its
 * level is the number of thresholds reached. A waiting job in a level above the first is promoted
 * to the first once its wait reaches the promotion factor times its service per GPU.
 *
 * @param thresholds GPU times, ascending
 * @param promotion the promotion factor; 0 for no promotion
 */
record LeastAttainedService(List<Duration> thresholds, double promotion)
    implements SchedulingPolicy {

  /** The thresholds of the simulator that accompanies the paper, for its variant dlas-gpu. */
  static final List<Duration> DEFAULT_THRESHOLDS =
      List.of(Duration.ofSeconds(3250), Duration.ofSeconds(7200));

  LeastAttainedService {
    thresholds = List.copyOf(thresholds);
    Duration previous = Duration.ZERO;
    for (Duration threshold : thresholds) {
      if (threshold.compareTo(previous) <= 0) {
        throw new IllegalArgumentException(
            "thresholds of attained service must ascend from more than zero, but were "
                + thresholds);
      }
      previous = threshold;
    }
  }

  static LeastAttainedService withoutPromotion(List<Duration> thresholds) {
    return new LeastAttainedService(thresholds, 0);
  }

  static LeastAttainedService withPromotion(List<Duration> thresholds, double factor) {
    if (!(factor > 0) || Double.isInfinite(factor)) {
      throw new IllegalArgumentException(
          "a promotion factor must be more than zero and finite, but was " + factor);
    }
    return new LeastAttainedService(thresholds, factor);
  }

  @Override
  public String name() {
    return "las";
  }

  @Override
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("thresholds", thresholds.toString());
    parameters.put("promotion", Double.toString(promotion));
    return Collections.unmodifiableMap(parameters);
  }

  @Override
  public long rank(JobView job) {
    return job.policyState().level();
  }

  @Override
  public boolean allowsBypass() {
    return true;
  }

  @Override
  public boolean preempts() {
    return true;
  }

  @Override
  public PolicyState policyState(JobView job) {
    boolean starved = promotionOf(job).filter(at -> !at.isAfter(job.now())).isPresent();
    return starved
        ? new PolicyState(0, job.attained())
        : new PolicyState(levelOf(service(job)), job.policyState().forgiven());
  }

  @Override
  public Optional<Instant> nextReview(JobView job) {
    return job.isRunning() ? demotionOf(job) : promotionOf(job);
  }

  private int levelOf(Duration service) {
    int level = 0;
    while (level < thresholds.size() && thresholds.get(level).compareTo(service) <= 0) {
      level++;
    }
    return level;
  }

  private static Duration service(JobView job) {
    return job.attained().minus(job.policyState().forgiven());
  }

  /** Returns the time at which a running job reaches its next threshold. */
  private Optional<Instant> demotionOf(JobView job) {
    Duration service = service(job);
    int level = levelOf(service);
    if (level == thresholds.size()) {
      return Optional.empty();
    }
    return job.attains(GpuTime.sum(thresholds.get(level), job.policyState().forgiven()));
  }

  /** Returns the time at which a waiting job in a level above the first is promoted. */
  private Optional<Instant> promotionOf(JobView job) {
    Duration service = service(job);
    if (promotion == 0 || job.isRunning() || levelOf(service) == 0) {
      return Optional.empty();
    }
    double seconds = promotion * GpuTime.exactSeconds(service) / gpus(job);
    return seconds > 1e9
        ? GpuTime.after(job.since(), Duration.ofSeconds((long) Math.min(seconds, 1e18)))
        : GpuTime.after(job.since(), Duration.ofNanos((long) Math.ceil(seconds * 1e9)));
  }

  /** Returns the number of GPUs that a job counts for: those requested, else its mean so far. */
  private static double gpus(JobView job) {
    int requested = job.job().gpus();
    return requested > 0
        ? requested
        : GpuTime.exactSeconds(job.attained()) / GpuTime.exactSeconds(job.executed());
  }
}
