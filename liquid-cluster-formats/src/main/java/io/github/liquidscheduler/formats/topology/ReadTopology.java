package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import java.util.List;
import java.util.Objects;

/**
 * A cluster as a file describes it, and warnings about what the file has and the cluster has not,
 * or the other way round. Immutable.
 */
public record ReadTopology(ClusterTopology cluster, List<TopologyWarning> warnings) {

  /** Copies the list. */
  public ReadTopology {
    Objects.requireNonNull(cluster, "cluster");
    warnings = List.copyOf(warnings);
  }
}
