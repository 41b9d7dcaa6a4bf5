package io.github.liquidscheduler.simulator.baseline;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.PlacementComparison.Candidate;
import io.github.liquidscheduler.placement.gang.Picks;
import java.util.List;
import java.util.Optional;

/**
 * What the released program of Liquid adds up for each node while its best fit places a task (Gu et
 * al., TPDS 33(11), 2022): tiers between the task and those of the other role that were placed,
 * times the bandwidth in units of 100 MB/s; the load of the node, for a server counted for it and
 * for a worker against it, so that servers go where there is room and workers where there is least;
 * and the node itself if it is a new one.
 */
final class LiquidScore implements NodeScore {

  @Override
  public double of(Candidate candidate) {
    ClusterTopology topology = candidate.index().topology();
    boolean isServer = isServer(candidate, candidate.task().role());
    double network = 0;
    boolean isNew = true;
    for (Picks.Pick pick : candidate.placed()) {
      isNew &= pick.node() != candidate.node();
      if (isServer(candidate, pick.task().role()) != isServer) {
        network += (double) pick.count() * tier(topology, pick.node(), candidate.node());
      }
    }
    double load =
        (1.0 + candidate.heldGpus() + candidate.task().gpus())
            / candidate.index().gpus(candidate.node());
    double rest = (isServer ? load : -load) + (isNew ? 1 : 0);
    return -(TierCost.bandwidthUnits(candidate.job(), candidate.task().role()) * network
        + rest / candidate.job().tasks());
  }

  private static boolean isServer(Candidate candidate, TaskRole role) {
    return candidate.job().communication() instanceof Communication.ParameterServer pattern
        && pattern.serverRole().equals(role.name());
  }

  /** Returns the tier between two nodes: the narrowest level is the rack, the next the domain. */
  private static int tier(ClusterTopology topology, int a, int b) {
    if (a == b) {
      return 0;
    }
    int nodeLevel = topology.levels().size() - 1;
    if (isShared(topology, nodeLevel - 1, a, b)) {
      return TierCost.SAME_RACK;
    }
    return isShared(topology, nodeLevel - 2, a, b) ? TierCost.SAME_DOMAIN : TierCost.ACROSS_DOMAINS;
  }

  private static boolean isShared(ClusterTopology topology, int level, int a, int b) {
    return level < 1 || domain(topology, level, a).equals(domain(topology, level, b));
  }

  private static Optional<Domain> domain(ClusterTopology topology, int level, int position) {
    List<String> levels = topology.levels();
    NodeId node = topology.nodes().get(position).id();
    return topology.domainOf(node, levels.get(level));
  }
}
