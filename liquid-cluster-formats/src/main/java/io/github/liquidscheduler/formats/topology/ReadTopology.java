package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A cluster as a file describes it, and warnings about what the file has and the cluster has not,
 * or the other way round. Immutable.
 *
 * @param unnamed the node that every node is that the file does not name; empty if it tells none
 */
public record ReadTopology(
    ClusterTopology cluster, List<TopologyWarning> warnings, Optional<Node> unnamed) {

  /** Copies the list. */
  public ReadTopology {
    Objects.requireNonNull(cluster, "cluster");
    warnings = List.copyOf(warnings);
    Objects.requireNonNull(unnamed, "unnamed");
  }

  /** Makes one of a file that tells nothing of nodes that it does not name. */
  public ReadTopology(ClusterTopology cluster, List<TopologyWarning> warnings) {
    this(cluster, warnings, Optional.empty());
  }
}
