package io.github.liquidscheduler.scheduler.policy;

import java.util.Map;

/**
 * The sizes of running elastic jobs: which job gets idle GPUs, and which gives some up for waiting
 * jobs. Stateless and deterministic.
 */
public interface SizingPolicy {

  /** A running elastic job at one instant. */
  interface Candidate extends JobView {

    /** Returns the number of tasks in its first role. */
    int tasks();

    /**
     * Returns the speed with a number of tasks in its first role, positive, in any unit: as
     * measured, else as predicted, else proportional to tasks.
     */
    double speed(int tasks);

    /** Returns the speed relative to one task. */
    default double speedup(int tasks) {
      return speed(tasks) / speed(1);
    }
  }

  /** A running job and its next larger allowed size. */
  record Growth(Candidate job, int from, int to) {}

  /** Returns the name, used in snapshots. */
  String name();

  /**
   * Returns the policy with a name, with its defaults.
   *
   * @throws IllegalArgumentException if the name is unknown
   */
  static SizingPolicy named(String name) {
    return switch (name) {
      case "elastic-tiresias" -> elasticTiresias();
      case "marginal" -> marginalGain();
      case "optimus" -> optimus();
      case "afs" -> afs();
      case "goodput" -> goodput();
      default ->
          throw new IllegalArgumentException(
              "a rule of sizes must be one of elastic-tiresias, marginal, optimus, afs, goodput,"
                  + " but was '"
                  + name
                  + "'");
    };
  }

  /** Returns the further options by name; none by default. */
  default Map<String, String> parameters() {
    return Map.of();
  }

  /**
   * Returns the number of tasks that a job keeps when others wait for capacity; a job with no more
   * gives up none. The scheduler uses the next larger allowed size. It depends only on the
   * {@linkplain Candidate#job job}, the level of its {@linkplain Candidate#policyState state} and
   * {@code manyWait}.
   *
   * @param manyWait whether more jobs wait than the {@linkplain Elasticity.Builder#pendingLimit
   *     limit}
   */
  int floor(Candidate job, boolean manyWait);

  /**
   * Returns the gain per GPU of a size step: the job with the largest gain grows first, and jobs
   * with 0 or less do not grow.
   *
   * @param from the current number of tasks, earlier steps included
   * @param to the next larger allowed size
   */
  double gain(Candidate job, int from, int to);

  /**
   * Returns true if {@link #gain} alone orders the steps. Otherwise {@link #prefersLater} compares
   * neighbours for each step.
   */
  default boolean isByGain() {
    return true;
  }

  /**
   * Returns true if the later job grows before the earlier one; by default if its {@link #gain} is
   * larger. Both gains are positive.
   */
  default boolean prefersLater(Growth earlier, Growth later) {
    return gain(later.job(), later.from(), later.to())
        > gain(earlier.job(), earlier.from(), earlier.to());
  }

  /**
   * Returns the rules of Elastic-Tiresias (EDL, section 4): compaction, where jobs beyond the first
   * level keep half of their preferred tasks while many wait, and expansion by the largest gain in
   * speed-up, at least .02 per GPU.
   */
  static SizingPolicy elasticTiresias() {
    return elasticTiresias(0.5, 0.02);
  }

  /**
   * Returns the rules of Elastic-Tiresias with other limits.
   *
   * @param keptFraction the fraction of its preferred tasks that a job keeps, from 0 to 1
   * @param leastGain the gain in speed-up per GPU that is too little, at least 0
   * @throws IllegalArgumentException if one is out of range
   */
  static SizingPolicy elasticTiresias(double keptFraction, double leastGain) {
    return new ElasticTiresiasSizing(keptFraction, leastGain);
  }

  /**
   * Returns expansion by the largest relative gain in speed; all jobs shrink to their smallest
   * sizes while many wait.
   */
  static SizingPolicy marginalGain() {
    return SizingRule.MARGINAL;
  }

  /**
   * Returns the rule of Optimus (section 4.1): a GPU goes to the job whose remaining time it
   * reduces most; jobs of unknown remaining time come last.
   */
  static SizingPolicy optimus() {
    return SizingRule.OPTIMUS;
  }

  /**
   * Returns the rule of AFS-L (Hwang et al., NSDI 2021): of two jobs the one that ends sooner
   * grows, unless the other gains more relative to its new speed than the first does relative to
   * its current one. A job of unknown remaining time is taken to run as long again as it has.
   */
  static SizingPolicy afs() {
    return new AfsSizing();
  }

  /**
   * Returns the rule that maximizes the harmonic mean of speed-ups, Pollux's fitness with p = -1
   * (section 4.2): a GPU goes where it most reduces the slowest job's time.
   */
  static SizingPolicy goodput() {
    return SizingRule.GOODPUT;
  }
}
