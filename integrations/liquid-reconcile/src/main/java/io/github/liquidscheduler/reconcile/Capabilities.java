package io.github.liquidscheduler.reconcile;

import java.util.Map;
import java.util.Set;

/** Checks that a manager can carry out what a scheduler may decide. */
final class Capabilities {

  private Capabilities() {}

  /**
   * Checks the parameters of a scheduler.
   *
   * @throws IllegalArgumentException if it may decide what nobody can carry out
   */
  static void require(Map<String, String> parameters, Set<ClusterPort.Feature> features) {
    if (!parameters.containsKey("startsReported")) {
      throw new IllegalArgumentException(
          "starts are reported by this cluster manager, so the scheduler must be built with"
              + " startsReported(), but was not");
    }
    boolean resizes =
        features.contains(ClusterPort.Feature.GROW)
            && features.contains(ClusterPort.Feature.SHRINK);
    if (!resizes) {
      refuse(parameters, "elasticity", "change the size of running jobs");
    }
    refuse(parameters, "prefetching", "bring data to nodes");
  }

  private static void refuse(Map<String, String> parameters, String part, String ability) {
    if (parameters.keySet().stream().anyMatch(name -> name.startsWith(part + "."))) {
      throw new IllegalArgumentException(
          "the scheduler must not be built with %s, because this cluster manager cannot %s"
              .formatted(part, ability));
    }
  }
}
