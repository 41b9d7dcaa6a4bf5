package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.Sharing;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The policies of the library. Embedders may implement {@link SchedulingPolicy} themselves. */
public final class Policies {

  private static final Map<String, Supplier<SchedulingPolicy>> BY_NAME = byName();

  private Policies() {}

  /**
   * Returns the policy {@code fifo}: first come, first served. The first job that does not fit
   * blocks all behind it.
   */
  public static SchedulingPolicy fifo() {
    return new Ranked("fifo", job -> 0, false, false);
  }

  /**
   * Returns the policy {@code best-effort-fifo}: first come, first served, but jobs that fit bypass
   * jobs that do not. Large jobs may starve.
   */
  public static SchedulingPolicy bestEffortFifo() {
    return new Ranked("best-effort-fifo", job -> 0, true, false);
  }

  /**
   * Returns the policy {@code priority}: the highest {@linkplain
   * io.github.liquidscheduler.job.JobSpec#priority() priority} first. Jobs that fit bypass jobs
   * that do not; a job that does not fit pre-empts pre-emptible jobs of lower priority.
   */
  public static SchedulingPolicy priority() {
    return new Ranked("priority", job -> -(long) job.job().priority(), true, true);
  }

  /**
   * Returns the policy {@code guaranteed-first}: jobs whose sharing is {@link
   * Sharing.Opportunistic} last, else in order of submission. Jobs that fit bypass jobs that do
   * not; a job that does not fit, unless opportunistic itself, pre-empts pre-emptible opportunistic
   * jobs.
   */
  public static SchedulingPolicy guaranteedFirst() {
    return new Ranked(
        "guaranteed-first",
        job -> job.job().sharing() instanceof Sharing.Opportunistic ? 1 : 0,
        true,
        true);
  }

  /**
   * Returns the policy {@code sjf}: the shortest expected duration first, unknown ones last. Jobs
   * that fit bypass jobs that do not; running jobs are not pre-empted.
   */
  public static SchedulingPolicy shortestJobFirst() {
    return new ShortestFirst("sjf", false, false);
  }

  /**
   * Returns the policy {@code saf}: the smallest area first, which is expected duration times GPUs;
   * unknown ones last. Jobs that fit bypass jobs that do not; running jobs are not pre-empted. The
   * best simple order for backfill (Carastan-Santos et al., One can only gain by replacing EASY
   * backfilling, CCGRID 2019).
   */
  public static SchedulingPolicy smallestAreaFirst() {
    return new ShortestFirst("saf", false, true);
  }

  /**
   * Returns the policy {@code srtf}: the shortest {@linkplain JobView#remaining() remaining time}
   * first, unknown ones last. A job that does not fit pre-empts pre-emptible jobs with longer
   * remaining times. A job that outlives its expected duration is expected to end at any moment.
   */
  public static SchedulingPolicy shortestRemainingTimeFirst() {
    return new ShortestFirst("srtf", true, false);
  }

  /**
   * Returns the policy {@code deadline}: jobs with a deadline or not pre-emptible first; they may
   * pre-empt all others. Equal ranks go by order of submission; guarantees are given by {@link
   * Elasticity.Builder#deadlines}.
   */
  public static SchedulingPolicy deadlineFirst() {
    return new Ranked(
        "deadline",
        job -> job.job().deadline().isPresent() || !job.job().isPreemptible() ? 0 : 1,
        true,
        true);
  }

  /**
   * Returns the policy {@code las} with the thresholds of the Tiresias simulator, 3,250 and 7,200
   * seconds of GPU time, without promotion.
   */
  public static SchedulingPolicy leastAttainedService() {
    return leastAttainedService(LeastAttainedService.DEFAULT_THRESHOLDS);
  }

  /**
   * Returns the policy {@code las}: discretised two-dimensional least attained service (Gu et al.,
   * Tiresias, NSDI 2019). A job's level is the number of thresholds that its attained GPU time has
   * reached. Lower levels go first, equal ones by order of submission; a job that does not fit
   * pre-empts pre-emptible jobs of higher levels. No durations are needed. Jobs without GPUs attain
   * service by {@link JobView#attained}.
   *
   * @param thresholds GPU times (run time times GPUs), ascending, more than zero
   * @throws IllegalArgumentException if the thresholds do not ascend from more than zero
   */
  public static SchedulingPolicy leastAttainedService(List<Duration> thresholds) {
    return LeastAttainedService.withoutPromotion(thresholds);
  }

  /**
   * Returns the policy {@code las} with promotion: a stopped job that has waited at least {@code
   * factor} times its run time since its last promotion returns to the first level, and its earlier
   * service is forgiven.
   *
   * @param thresholds GPU times (run time times GPUs), ascending, more than zero
   * @param factor the paper's promote knob, more than zero and finite
   * @throws IllegalArgumentException if the thresholds do not ascend from more than zero or the
   *     factor is out of range
   */
  public static SchedulingPolicy leastAttainedServiceWithPromotion(
      List<Duration> thresholds, double factor) {
    return LeastAttainedService.withPromotion(thresholds, factor);
  }

  /** Returns the policy {@code fair-share} over {@link #bestEffortFifo()} with equal weights. */
  public static SchedulingPolicy fairShare() {
    return fairShare(bestEffortFifo(), Map.of());
  }

  /**
   * Returns the policy {@code fair-share}: the queue with the fewest GPUs per weight first, so that
   * queues with waiting jobs converge to GPUs in proportion to their weights (weighted max-min
   * fairness). Running jobs are not pre-empted: GPUs beyond a share return only as jobs end.
   *
   * @param inside orders the jobs of one queue and decides whether jobs that fit may bypass others,
   *     of any queue
   * @param weights the weights by queue, more than zero and finite; 1 for others
   * @throws IllegalArgumentException if a weight is out of range, or the inner policy pre-empts or
   *     orders queues
   */
  public static SchedulingPolicy fairShare(
      SchedulingPolicy inside, Map<QueueName, Double> weights) {
    return new FairShare(inside, weights);
  }

  /** Returns the names accepted by {@link #named}. */
  public static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  /**
   * Returns the policy with a name, with its defaults.
   *
   * @throws IllegalArgumentException if the name is not one of {@link #names()}
   */
  public static SchedulingPolicy named(String name) {
    Supplier<SchedulingPolicy> policy = BY_NAME.get(name);
    if (policy == null) {
      throw new IllegalArgumentException(
          "a policy must be one of %s, but was '%s'".formatted(String.join(", ", names()), name));
    }
    return policy.get();
  }

  private static Map<String, Supplier<SchedulingPolicy>> byName() {
    Map<String, Supplier<SchedulingPolicy>> policies = new LinkedHashMap<>();
    policies.put("fifo", Policies::fifo);
    policies.put("best-effort-fifo", Policies::bestEffortFifo);
    policies.put("priority", Policies::priority);
    policies.put("guaranteed-first", Policies::guaranteedFirst);
    policies.put("sjf", Policies::shortestJobFirst);
    policies.put("saf", Policies::smallestAreaFirst);
    policies.put("srtf", Policies::shortestRemainingTimeFirst);
    policies.put("las", Policies::leastAttainedService);
    policies.put("fair-share", Policies::fairShare);
    policies.put("deadline", Policies::deadlineFirst);
    return policies;
  }
}
