package io.github.liquidscheduler.rounds.planner;

import java.util.Arrays;

/**
 * The seconds for which all GPUs of a fleet work for a job, and those that its rounds take at
 * least, each on the fastest GPU.
 */
record FleetVolume(double whole, double least) {

  static FleetVolume of(RoundJob job, TaskTime[] times) {
    double tasksPerSecond = Arrays.stream(times).mapToDouble(time -> 1 / time.compute()).sum();
    double compute = Arrays.stream(times).mapToDouble(TaskTime::compute).min().orElseThrow();
    double synchronize =
        Arrays.stream(times).mapToDouble(TaskTime::synchronize).min().orElseThrow();
    return new FleetVolume(
        (double) job.rounds() * job.scale() / tasksPerSecond,
        job.rounds() * (compute + synchronize));
  }
}
