package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.AllReduceAlgorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a job computes and sends in one iteration, wherever it is placed: the same for all
 * candidates. Immutable.
 */
public final class Traffic {

  /** What an iteration is taken to compute for when nobody says; a guess in the usual range. */
  public static final Duration ASSUMED_COMPUTE = Duration.ofMillis(250);

  private static final double NANOS_PER_SECOND = 1e9;

  private final JobId job;
  private final int[] gpusPerTask;
  private final Duration compute;
  private final List<TrafficPattern> rings;
  private final List<TrafficPattern> hierarchies;

  private Traffic(
      JobId job,
      int[] gpusPerTask,
      Duration compute,
      List<TrafficPattern> rings,
      List<TrafficPattern> hierarchies) {
    this.job = job;
    this.gpusPerTask = gpusPerTask;
    this.compute = compute;
    this.rings = rings;
    this.hierarchies = hierarchies;
  }

  /** Returns the traffic of a job that computes for {@link #ASSUMED_COMPUTE} in an iteration. */
  public static Traffic of(JobSpec job) {
    return of(job, ASSUMED_COMPUTE);
  }

  /**
   * Returns the traffic of a job.
   *
   * @param job the job
   * @param compute how long one GPU alone computes in one iteration, more than zero
   * @throws IllegalArgumentException if the time is not more than zero
   */
  public static Traffic of(JobSpec job, Duration compute) {
    if (!compute.isPositive()) {
      throw new IllegalArgumentException(
          "an iteration must compute for more than zero, but was %s, for job '%s'"
              .formatted(compute, job.id()));
    }
    int[] gpusPerTask = job.roles().stream().mapToInt(role -> role.request().gpus()).toArray();
    return new Traffic(
        job.id(),
        gpusPerTask,
        compute,
        patterns(job, AllReduceAlgorithm.RING),
        patterns(job, AllReduceAlgorithm.HIERARCHICAL));
  }

  /**
   * Returns this traffic with {@code factor} times the bytes: what a job was seen to send, in parts
   * of what it says.
   *
   * @throws IllegalArgumentException if the factor is negative or not finite
   */
  public Traffic times(double factor) {
    if (!(factor >= 0 && factor < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "a factor of traffic must be finite and not negative, but was %s, for job '%s'"
              .formatted(factor, job));
    }
    return new Traffic(
        job,
        gpusPerTask,
        compute,
        rings.stream().map(pattern -> pattern.times(factor)).toList(),
        hierarchies.stream().map(pattern -> pattern.times(factor)).toList());
  }

  /** Returns the job. */
  public JobId job() {
    return job;
  }

  /** Returns how long one GPU alone computes in one iteration. */
  public Duration compute() {
    return compute;
  }

  /** Returns the number of roles. */
  int roles() {
    return gpusPerTask.length;
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
    return "traffic of job '" + job + "': " + rings + ", computes for " + compute;
  }

  private static List<TrafficPattern> patterns(JobSpec job, AllReduceAlgorithm algorithm) {
    List<TrafficPattern> patterns = new ArrayList<>();
    if (job.communication() instanceof Communication.Combined combined) {
      combined.parts().forEach(part -> addPattern(job, part, algorithm, patterns));
    } else {
      addPattern(job, job.communication(), algorithm, patterns);
    }
    return List.copyOf(patterns);
  }

  private static void addPattern(
      JobSpec job,
      Communication part,
      AllReduceAlgorithm algorithm,
      List<TrafficPattern> patterns) {
    switch (part) {
      case Communication.None none -> {}
      case Communication.Combined combined ->
          throw new IllegalArgumentException("a combined pattern holds none: " + combined);
      case Communication.AllReduce all ->
          patterns.add(
              algorithm == AllReduceAlgorithm.RING
                  ? new TrafficPattern.Ring(all.bytesPerIteration())
                  : new TrafficPattern.Hierarchy(all.bytesPerIteration()));
      case Communication.AllToAll all ->
          patterns.add(new TrafficPattern.Exchange(all.bytesPerIteration()));
      case Communication.Pipeline pipeline ->
          patterns.add(new TrafficPattern.Chain(pipeline.bytesPerIteration()));
      case Communication.TensorParallel groups ->
          patterns.add(new TrafficPattern.Groups(groups.groupSize(), groups.bytesPerIteration()));
      case Communication.ParameterServer servers ->
          patterns.add(
              new TrafficPattern.Servers(
                  RolePair.position(job, servers.serverRole()),
                  RolePair.position(job, servers.workerRole()),
                  servers.bytesPerIteration()));
    }
  }
}
