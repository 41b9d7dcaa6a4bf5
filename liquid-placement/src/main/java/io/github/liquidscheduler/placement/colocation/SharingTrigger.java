package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import java.util.function.BiPredicate;
import java.util.function.ToIntFunction;

/**
 * Decides if a job shares a GPU although it fits alone. A job that does not fit alone shares in any
 * case: otherwise a start could help other jobs fit, by raising the utilization to the trigger.
 */
@FunctionalInterface
public interface SharingTrigger {

  /** Returns true if the job shares although it would fit alone. */
  boolean isOn(ClusterView view, JobSpec job);

  /** Returns the name with its numbers, as snapshots hold it. */
  default String name() {
    return "custom";
  }

  /** Returns the trigger that is always on. */
  static SharingTrigger always() {
    return new Named("always", (view, job) -> true);
  }

  /** Returns the trigger that is never on: jobs share only if they do not fit alone. */
  static SharingTrigger onlyWhenFull() {
    return new Named("only when full", (view, job) -> false);
  }

  /**
   * Returns the trigger that is on while at least this fraction of all GPUs is allocated, wholly or
   * in part (Liquid's threshold, which its experiments set to .75).
   *
   * @throws IllegalArgumentException if the fraction is not from 0 to 1
   */
  static SharingTrigger aboveUtilization(double fraction) {
    if (!(fraction >= 0 && fraction <= 1)) {
      throw new IllegalArgumentException(
          "a fraction of allocated GPUs must be from 0 to 1, but was " + fraction);
    }
    return new Named(
        "above utilization " + fraction,
        (view, job) -> {
          int free = ClusterState.of(view).freeGpus();
          int all = view.topology().gpuCount();
          return all > 0 && (double) (all - free) / all >= fraction;
        });
  }

  /**
   * Returns the trigger that is on while more than two jobs are expected to ask for GPUs soon
   * (Lucid's load rule).
   *
   * @param expectedJobs the number expected; deterministic
   */
  static SharingTrigger fromExpectedJobs(ToIntFunction<ClusterView> expectedJobs) {
    return new Named("from expected jobs", (view, job) -> expectedJobs.applyAsInt(view) > 2);
  }

  /** A trigger with a name. */
  record Named(String name, BiPredicate<ClusterView, JobSpec> rule) implements SharingTrigger {
    @Override
    public boolean isOn(ClusterView view, JobSpec job) {
      return rule.test(view, job);
    }
  }
}
