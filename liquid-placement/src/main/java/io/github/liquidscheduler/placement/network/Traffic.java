package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.NetworkParameters.AllReduceAlgorithm;
import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The computing and traffic of a job in one iteration, the same for all candidate placements.
 * Immutable.
 */
public final class Traffic {

  /** The assumed computing time of an iteration if none is given; a guess in the usual range. */
  public static final Duration ASSUMED_COMPUTE = Duration.ofMillis(250);

  private static final double NANOS_PER_SECOND = 1e9;

  private final JobSpec job;
  private final int[] gpusPerTask;
  private final Duration compute;
  private final double factor;
  private final List<TrafficPattern> rings;
  private final List<TrafficPattern> hierarchies;

  private Traffic(JobSpec job, Duration compute, double factor) {
    this.job = job;
    gpusPerTask = new int[job.roles().size()];
    Arrays.setAll(gpusPerTask, role -> job.roles().get(role).request().gpus());
    this.compute = compute;
    this.factor = factor;
    rings = patterns(job, AllReduceAlgorithm.RING, factor);
    hierarchies = patterns(job, AllReduceAlgorithm.HIERARCHICAL, factor);
  }

  /** Returns the traffic of a job that computes for {@link #ASSUMED_COMPUTE} in an iteration. */
  public static Traffic of(JobSpec job) {
    return of(job, ASSUMED_COMPUTE);
  }

  /**
   * Returns the traffic of a job.
   *
   * @param compute the computing time of one GPU alone in one iteration, more than zero
   * @throws IllegalArgumentException if the time is not more than zero
   */
  public static Traffic of(JobSpec job, Duration compute) {
    if (!compute.isPositive()) {
      throw new IllegalArgumentException(
          "an iteration must compute for more than zero, but was %s, for job '%s'"
              .formatted(compute, job.id()));
    }
    return new Traffic(job, compute, 1);
  }

  /**
   * Returns this traffic with {@code factor} times the bytes: observed over declared traffic.
   *
   * @throws IllegalArgumentException if the factor is negative or not finite
   */
  public Traffic times(double factor) {
    if (!(factor >= 0 && factor < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "a factor of traffic must be finite and not negative, but was %s, for job '%s'"
              .formatted(factor, job.id()));
    }
    return new Traffic(job, compute, this.factor * factor);
  }

  /** Returns the job. */
  public JobId job() {
    return job.id();
  }

  /** Returns the computing time of one GPU alone in one iteration. */
  public Duration compute() {
    return compute;
  }

  /** Returns the number of roles. */
  int roles() {
    return gpusPerTask.length;
  }

  void requireRolesOf(TaskCounts counts) {
    if (counts.roles() != roles()) {
      throw new IllegalArgumentException(
          "counts must be of the %s of job '%s', but were of %d"
              .formatted(Count.of(roles(), "role"), job(), counts.roles()));
    }
  }

  int gpusPerTask(int role) {
    return gpusPerTask[role];
  }

  double computeSeconds() {
    return compute.toNanos() / NANOS_PER_SECOND;
  }

  List<TrafficPattern> patterns(AllReduceAlgorithm algorithm) {
    return algorithm == AllReduceAlgorithm.RING ? rings : hierarchies;
  }

  @Override
  public String toString() {
    return "traffic of job '" + job.id() + "': " + rings + ", computes for " + compute;
  }

  private static List<TrafficPattern> patterns(
      JobSpec job, AllReduceAlgorithm algorithm, double factor) {
    return switch (job.communication()) {
      case Communication.None none -> List.of();
      case Communication.Combined combined ->
          combined.parts().stream()
              .filter(part -> !(part instanceof Communication.None))
              .map(part -> pattern(job, part, algorithm, factor))
              .toList();
      case Communication single -> List.of(pattern(job, single, algorithm, factor));
    };
  }

  private static TrafficPattern pattern(
      JobSpec job, Communication part, AllReduceAlgorithm algorithm, double factor) {
    return switch (part) {
      case Communication.None none -> throw new IllegalArgumentException("sends nothing: " + none);
      case Communication.Combined combined ->
          throw new IllegalArgumentException("a combined pattern holds none: " + combined);
      case Communication.AllReduce all ->
          algorithm == AllReduceAlgorithm.RING
              ? new TrafficPattern.Ring(factor * all.bytesPerIteration())
              : new TrafficPattern.Hierarchy(factor * all.bytesPerIteration());
      case Communication.AllToAll all ->
          new TrafficPattern.Exchange(factor * all.bytesPerIteration());
      case Communication.Pipeline pipeline ->
          new TrafficPattern.Chain(factor * pipeline.bytesPerIteration());
      case Communication.TensorParallel groups ->
          new TrafficPattern.Groups(groups.groupSize(), factor * groups.bytesPerIteration());
      case Communication.ParameterServer servers ->
          new TrafficPattern.Servers(
              RolePair.position(job, servers.serverRole()),
              RolePair.position(job, servers.workerRole()),
              factor * servers.bytesPerIteration());
    };
  }
}
