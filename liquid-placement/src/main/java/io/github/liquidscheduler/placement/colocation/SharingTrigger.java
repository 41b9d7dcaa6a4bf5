package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import java.util.function.ToIntFunction;

/**
 * Says whether jobs share although there is room for them alone. A job that finds no room alone
 * shares in any case: else one that starts could make room for others, by filling the cluster up to
 * where sharing begins.
 */
@FunctionalInterface
public interface SharingTrigger {

  /** Returns whether the job shares although it would fit alone. */
  boolean isOn(ClusterView view, JobSpec job);

  /** Returns the switch that is always on. */
  static SharingTrigger always() {
    return (view, job) -> true;
  }

  /** Returns the switch that is never on: jobs share only if there is no room for them alone. */
  static SharingTrigger whenFull() {
    return (view, job) -> false;
  }

  /**
   * Returns the switch that is on while at least this part of all GPUs is held, wholly or in part
   * (Liquid's threshold, which its experiments set to .75).
   *
   * @throws IllegalArgumentException if the part is not from 0 to 1
   */
  static SharingTrigger fromPressure(double part) {
    if (!(part >= 0 && part <= 1)) {
      throw new IllegalArgumentException(
          "a part of the GPUs held must be from 0 to 1, but was " + part);
    }
    return (view, job) -> {
      int free = ClusterState.of(view).freeGpus();
      int all = view.topology().gpuCount();
      return all > 0 && (double) (all - free) / all >= part;
    };
  }

  /**
   * Returns the switch that is on while more than two jobs are expected to ask for GPUs soon
   * (Lucid's load rule).
   *
   * @param expectedJobs how many are expected, told deterministically
   */
  static SharingTrigger fromExpectedJobs(ToIntFunction<ClusterView> expectedJobs) {
    return (view, job) -> expectedJobs.applyAsInt(view) > 2;
  }
}
