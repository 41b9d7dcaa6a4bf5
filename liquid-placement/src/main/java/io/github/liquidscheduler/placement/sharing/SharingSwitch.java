package io.github.liquidscheduler.placement.sharing;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.job.JobSpec;

/**
 * Says whether jobs share although there is room for them alone. A job that finds no room alone
 * shares in any case: else one that starts could make room for others, by filling the cluster up to
 * where sharing begins.
 */
@FunctionalInterface
public interface SharingSwitch {

  /** Returns whether the job shares although it would fit alone. */
  boolean isOn(ClusterView view, JobSpec job);

  /** Returns the switch that is always on. */
  static SharingSwitch always() {
    return (view, job) -> true;
  }

  /** Returns the switch that is never on: jobs share only if there is no room for them alone. */
  static SharingSwitch whenFull() {
    return (view, job) -> false;
  }
}
