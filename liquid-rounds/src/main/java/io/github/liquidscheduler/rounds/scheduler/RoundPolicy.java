package io.github.liquidscheduler.rounds.scheduler;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which task goes first on an idle GPU of a round pool. Immutable. */
public final class RoundPolicy {

  private final String name;
  private final Map<String, String> parameters;
  private final Function<GpuFleet, RoundQueue> queue;

  private RoundPolicy(
      String name, Map<String, String> parameters, Function<GpuFleet, RoundQueue> queue) {
    this.name = name;
    this.parameters = parameters;
    this.queue = queue;
  }

  /**
   * Returns heterogeneity-aware least attained service (HLAS, IEEE TCC 2024): jobs that have been
   * served less go first. Service is counted in tasks: each counts the time that the whole pool
   * would need for it times the number of GPUs, whichever GPU has served it. Jobs between two
   * thresholds are of one class. In the lowest class tasks and GPUs are matched so that no task is
   * slower beside the fastest GPU of the pool than need be. Needs not know how long jobs are.
   *
   * <p>The paper's abstract says what is ranked; classes and matching are a proposal of this
   * project.
   *
   * @param thresholds the seconds of service at which a job passes into the next class, ascending
   *     and positive; none for one class
   * @throws IllegalArgumentException if they do not ascend from above 0
   */
  public static RoundPolicy hlas(double... thresholds) {
    double[] ascending = thresholds.clone();
    double previous = 0;
    for (double threshold : ascending) {
      if (!(threshold > previous && threshold < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "thresholds must be finite and ascend from above 0, but were "
                + Arrays.toString(thresholds));
      }
      previous = threshold;
    }
    String shown =
        Arrays.stream(ascending).mapToObj(Double::toString).collect(Collectors.joining(","));
    return new RoundPolicy(
        "hlas",
        Map.of("thresholds", shown),
        fleet ->
            new AffinityQueue(
                fleet, job -> serviceClass(job, fleet, ascending), GpuFleet::fastestSeconds));
  }

  /**
   * Returns heterogeneity-aware least attained service that fits jobs of any length: as {@link
   * #hlas}, with three differences. A job ranks by the service that it will have had after its
   * round, so that among new jobs those of short rounds go first. Each class holds four times as
   * much service as the one before, so there is nothing to choose. And tasks and GPUs are matched
   * by comparative advantage: by how fast a task is beside the mean of the pool, not beside the
   * fastest GPU, so that a job that gains little by fast GPUs leaves them to others.
   *
   * <p>A proposal of this project; lab/liquid-lab/docs/research.md has the measurements.
   */
  public static RoundPolicy scaleFreeHlas() {
    return new RoundPolicy(
        "hlas-scale-free",
        Map.of(),
        fleet ->
            new AffinityQueue(
                fleet,
                job -> serviceExponent(job, fleet),
                (pool, times) -> pool.open() * pool.fleetSeconds(times)));
  }

  /** Returns the power of four of the seconds of service that the job will have had. */
  private static int serviceExponent(JobRounds job, GpuFleet fleet) {
    double tasks = (double) job.scale() * (job.round() + 1);
    double seconds = fleet.open() * fleet.fleetSeconds(job.times()) * tasks;
    return Math.floorDiv(Math.getExponent(seconds), 2);
  }

  /**
   * Returns least attained service by the clock: the job whose tasks have computed for the shortest
   * time goes first, on the idle GPU on which it is fastest. A running task counts its expected
   * time.
   */
  public static RoundPolicy leastAttainedService() {
    return new RoundPolicy(
        "las", Map.of(), fleet -> new RankedQueue(fleet, job -> job.servedNanos() / 1e9));
  }

  /**
   * Returns shortest remaining processing time: the job whose remaining rounds the pool would need
   * the shortest time for goes first, on the idle GPU on which it is fastest. Needs to know how
   * many rounds there are.
   */
  public static RoundPolicy shortestRemaining() {
    return new RoundPolicy(
        "srpt",
        Map.of(),
        fleet ->
            new RankedQueue(
                fleet,
                job ->
                    fleet.fleetSeconds(job.times()) * job.scale() * (job.rounds() - job.round())));
  }

  /** Returns the name. */
  public String name() {
    return name;
  }

  /** Returns what decides, by name. */
  public Map<String, String> parameters() {
    return new TreeMap<>(parameters);
  }

  RoundQueue queue(GpuFleet fleet) {
    return queue.apply(fleet);
  }

  private static int serviceClass(JobRounds job, GpuFleet fleet, double[] thresholds) {
    double attained = fleet.open() * fleet.fleetSeconds(job.times()) * job.servedTasks();
    int reached = 0;
    while (reached < thresholds.length && thresholds[reached] <= attained) {
      reached++;
    }
    return reached;
  }
}
