package io.github.liquidscheduler.estimator.request;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A number of GPUs of one model, and the widest level that they span.
 *
 * @param gpu the model of all of them
 * @param gpus how many, at least 1
 * @param widestLevel the narrowest level one domain of which holds all of them
 */
record GpuSpread(GpuModel gpu, int gpus, String widestLevel) {

  /** Returns the spread of a placement; nothing if it has no GPU, or GPUs of several models. */
  static Optional<GpuSpread> of(Placement placement, ClusterTopology topology) {
    Set<GpuModel> models = topology.models(placement);
    return models.size() == 1
        ? Optional.of(
            new GpuSpread(
                models.iterator().next(), placement.gpus(), level(placement.nodes(), topology)))
        : Optional.empty();
  }

  private static String level(Set<NodeId> nodes, ClusterTopology topology) {
    if (nodes.size() == 1) {
      return ClusterTopology.NODE;
    }
    List<String> levels = topology.levels();
    return levels.reversed().stream()
        .filter(level -> isInOneDomain(nodes, level, topology))
        .findFirst()
        .orElse(levels.getFirst());
  }

  private static boolean isInOneDomain(Set<NodeId> nodes, String level, ClusterTopology topology) {
    List<Optional<Domain>> domains =
        nodes.stream().map(node -> topology.domainOf(node, level)).distinct().toList();
    return domains.size() == 1 && domains.getFirst().isPresent();
  }
}
