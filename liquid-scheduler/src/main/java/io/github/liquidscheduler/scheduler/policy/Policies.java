package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.job.QueueName;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The policies that come with the library. Embedders may write others. */
public final class Policies {

  private static final Map<String, Supplier<SchedulingPolicy>> BY_NAME = byName();

  private Policies() {}

  /**
   * Returns the policy {@code fifo}: first come, first served. The first job that does not fit
   * blocks all behind it.
   */
  public static SchedulingPolicy fifo() {
    return new Fifo("fifo", false);
  }

  /**
   * Returns the policy {@code best-effort-fifo}: first come, first served, but jobs that fit bypass
   * jobs that do not. Large jobs may starve.
   */
  public static SchedulingPolicy bestEffortFifo() {
    return new Fifo("best-effort-fifo", true);
  }

  /**
   * Returns the policy {@code priority}: the highest {@linkplain
   * io.github.liquidscheduler.job.JobSpec#priority() priority} first. Jobs that fit bypass jobs
   * that do not; a job that does not fit takes the room of pre-emptible jobs of lower priority.
   */
  public static SchedulingPolicy priority() {
    return new HighestPriorityFirst();
  }

  /**
   * Returns the policy {@code guaranteed-first}: jobs whose sharing is {@link
   * io.github.liquidscheduler.job.Sharing.Opportunistic} last, else in the order of submission.
   * Jobs that fit bypass jobs that do not; a job that does not fit takes the room of pre-emptible
   * opportunistic jobs, unless it is one.
   */
  public static SchedulingPolicy guaranteedFirst() {
    return new GuaranteedFirst();
  }

  /**
   * Returns the policy {@code sjf}: the shortest expected duration first, unknown ones last. Jobs
   * that fit bypass jobs that do not; running jobs are left alone.
   */
  public static SchedulingPolicy shortestJobFirst() {
    return new ShortestFirst("sjf", false, false);
  }

  /**
   * Returns the policy {@code saf}: the smallest area first, which is expected duration times GPUs;
   * unknown ones last. Jobs that fit bypass jobs that do not; running jobs are left alone. Of
   * simple orders the one with which backfill does best (Carastan-Santos, De Camargo, Trystram,
   * Zrigui: One can only gain by replacing EASY backfilling, CCGRID 2019).
   */
  public static SchedulingPolicy smallestAreaFirst() {
    return new ShortestFirst("saf", false, true);
  }

  /**
   * Returns the policy {@code srtf}: the shortest {@linkplain JobView#remaining() remaining time}
   * first, unknown ones last. A job that does not fit takes the room of pre-emptible jobs that will
   * still run longer than it. A job that outruns its expected duration is expected to end at any
   * moment.
   */
  public static SchedulingPolicy shortestRemainingTimeFirst() {
    return new ShortestFirst("srtf", true, false);
  }

  /**
   * Returns the policy {@code deadline}: jobs with a deadline first, and those that must not be
   * pre-empted; all others make room for them. Among equals the order of submission counts: that
   * all meet their deadlines is for {@link Elasticity.Builder#deadlines} to see to.
   */
  public static SchedulingPolicy deadlineFirst() {
    return new DeadlineFirst();
  }

  /**
   * Returns the policy {@code las} with the two thresholds that the simulator of Tiresias ships:
   * 3,250 and 7,200 seconds of GPU time, and without promotion.
   */
  public static SchedulingPolicy leastAttainedService() {
    return leastAttainedService(LeastAttainedService.DEFAULT_THRESHOLDS);
  }

  /**
   * Returns the policy {@code las}: discretised two-dimensional least attained service (Gu et al.,
   * Tiresias, NSDI 2019). A job's level is the number of thresholds that its attained GPU time has
   * reached. Lower levels go first, jobs of one level in the order of submission; a job that does
   * not fit takes the room of pre-emptible jobs of higher levels. Nothing has to be known of
   * durations. A job without GPUs attains the time of those that it may keep from others ({@link
   * JobView#attained}).
   *
   * @param thresholds GPU times (running time times GPUs), ascending, more than zero
   * @throws IllegalArgumentException if the thresholds do not ascend from more than zero
   */
  public static SchedulingPolicy leastAttainedService(List<Duration> thresholds) {
    return LeastAttainedService.withoutPromotion(thresholds);
  }

  /**
   * Returns the policy {@code las} with promotion: a job that has waited, since it was stopped, at
   * least {@code factor} times as long as it ran since its last promotion, goes back to the first
   * level, and what it attained before is forgiven.
   *
   * @param thresholds GPU times (running time times GPUs), ascending, more than zero
   * @param factor the paper's promote knob, more than zero and finite
   * @throws IllegalArgumentException if the thresholds do not ascend from more than zero or the
   *     factor is out of range
   */
  public static SchedulingPolicy leastAttainedServiceWithPromotion(
      List<Duration> thresholds, double factor) {
    return LeastAttainedService.withPromotion(thresholds, factor);
  }

  /**
   * Returns the policy {@code fair-share} over {@link #bestEffortFifo()}, in which all queues weigh
   * the same.
   */
  public static SchedulingPolicy fairShare() {
    return fairShare(bestEffortFifo(), Map.of());
  }

  /**
   * Returns the policy {@code fair-share}: the queue that holds the fewest GPUs for its weight goes
   * first, so that queues with jobs waiting come to hold GPUs in proportion to their weights
   * (weighted max-min fairness). Running jobs are left alone, so what a queue holds beyond its
   * share comes back only as its jobs end.
   *
   * @param inside orders the jobs of one queue, and says whether those that fit may bypass others,
   *     of whatever queue
   * @param weights the weights by queue, more than zero and finite; 1 for others
   * @throws IllegalArgumentException if a weight is out of range or the policy inside pre-empts or
   *     orders queues itself
   */
  public static SchedulingPolicy fairShare(
      SchedulingPolicy inside, Map<QueueName, Double> weights) {
    return new FairShare(inside, weights);
  }

  /** Returns the names that {@link #named} knows. */
  public static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  /**
   * Returns the policy of this name, with its defaults.
   *
   * @throws IllegalArgumentException if {@link #names()} has no such name
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
