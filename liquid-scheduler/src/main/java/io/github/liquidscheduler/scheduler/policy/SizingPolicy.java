package io.github.liquidscheduler.scheduler.policy;

import java.util.Map;

/**
 * How large the running jobs of several sizes are: who gets the GPUs that nobody waits for, and who
 * gives some up for those who wait. Stateless and deterministic.
 */
public interface SizingPolicy {

  /** A running job of several sizes, at one instant. */
  interface Candidate extends JobView {

    /** Returns how many tasks its first role has. */
    int tasks();

    /**
     * Returns its speed with so many tasks in its first role, positive, in any unit: as measured,
     * else as predicted, else in proportion to its tasks.
     */
    double speed(int tasks);

    /** Returns how many times as fast it would be as with one task. */
    default double speedup(int tasks) {
      return speed(tasks) / speed(1);
    }
  }

  /** A running job and the next larger size that is allowed. */
  record Growth(Candidate job, int from, int to) {}

  /** Returns the name, which snapshots carry. */
  String name();

  /**
   * Returns the rule of a name, with what its {@link #parameters} were.
   *
   * @throws IllegalArgumentException if the project has no such rule, or a parameter is missing or
   *     out of range
   */
  static SizingPolicy named(String name, Map<String, String> parameters) {
    return switch (name) {
      case "elastic-tiresias" -> ElasticTiresiasSizing.from(parameters);
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

  /** Returns what else decides, by name. Nothing by default. */
  default Map<String, String> parameters() {
    return Map.of();
  }

  /**
   * Returns the tasks that a job keeps when others wait for room: it gives up none if it has no
   * more. The scheduler takes the next larger size that is allowed. It depends on nothing but the
   * {@linkplain Candidate#job job}, the level of its {@linkplain Candidate#standing standing} and
   * {@code manyWait}.
   *
   * @param manyWait whether more jobs wait than the {@linkplain Elasticity.Builder#pendingLimit
   *     limit}
   */
  int floor(Candidate job, boolean manyWait);

  /**
   * Returns what it is worth that a job gets larger, for each GPU that it gets; the jobs for whom
   * it is worth most get larger, and those for whom it is worth 0 or less do not.
   *
   * @param from the tasks it has, or shall have so far
   * @param to the next larger size that is allowed
   */
  double gain(Candidate job, int from, int to);

  /**
   * Returns whether {@link #gain} alone tells who gets larger first. If not, {@link #prefersLater}
   * does, which is asked about every two neighbours for each size that is given.
   */
  default boolean isByGain() {
    return true;
  }

  /**
   * Returns whether the job that came later gets larger rather than the one that came earlier; by
   * default if its {@link #gain} is larger. The gains of both are positive.
   */
  default boolean prefersLater(Growth earlier, Growth later) {
    return gain(later.job(), later.from(), later.to())
        > gain(earlier.job(), earlier.from(), earlier.to());
  }

  /**
   * Returns the two rules of Elastic-Tiresias (EDL, section 4): compaction, where jobs that have
   * left the first queue keep half of the tasks they prefer while many wait, and expansion by the
   * largest gain in speed-up, of at least .02 for each GPU.
   */
  static SizingPolicy elasticTiresias() {
    return elasticTiresias(0.5, 0.02);
  }

  /**
   * Returns the same with other limits.
   *
   * @param keptFraction the fraction of its preferred tasks that a job keeps, from 0 to 1
   * @param leastGain the gain in speed-up for each GPU that is too little, at least 0
   * @throws IllegalArgumentException if one is out of range
   */
  static SizingPolicy elasticTiresias(double keptFraction, double leastGain) {
    return new ElasticTiresiasSizing(keptFraction, leastGain);
  }

  /**
   * Returns expansion by the largest relative gain in speed, where all jobs go back to their
   * smallest sizes while many wait.
   */
  static SizingPolicy marginalGain() {
    return SizingRule.MARGINAL;
  }

  /**
   * Returns the rule of Optimus (section 4.1): a GPU goes to the job that it saves most time, by
   * what is known of the time it will still run; those of which nothing is known come last.
   */
  static SizingPolicy optimus() {
    return SizingRule.OPTIMUS;
  }

  /**
   * Returns the rule of AFS-L (Hwang et al., NSDI 2021): of two jobs the one that ends sooner as
   * they are gets larger, unless the other gains more by it, relative to the speed that it would
   * have, than the first does relative to the speed it has. Jobs of which the time they will still
   * run is unknown are taken to run as long again as they have.
   */
  static SizingPolicy afs() {
    return new AfsSizing();
  }

  /**
   * Returns the rule that makes the harmonic mean of the speed-ups largest, which is Pollux's
   * fitness with p = -1 (section 4.2): a GPU goes where it shortens most what takes longest.
   */
  static SizingPolicy goodput() {
    return SizingRule.GOODPUT;
  }
}
