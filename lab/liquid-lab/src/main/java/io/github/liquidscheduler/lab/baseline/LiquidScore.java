package io.github.liquidscheduler.lab.baseline;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.simulator.baseline.NodeScore;
import org.jspecify.annotations.Nullable;

/**
 * What the released program of Liquid adds up for each node while its best fit places a task (Gu et
 * al., TPDS 33(11), 2022): tiers between the task and those of the other role that were placed,
 * times the bandwidth in units of 100 MB/s; the load of the node, for a server counted for it and
 * for a worker against it, so that servers go where there is room and workers where there is least;
 * and the node itself if it is a new one.
 */
final class LiquidScore implements NodeScore {
  private @Nullable NodeTiers known;

  @Override
  public double of(Candidate candidate) {
    NodeTiers tiers = tiers(candidate.index().topology());
    boolean isServer = isServer(candidate, candidate.task().role());
    double network = 0;
    boolean isNew = true;
    for (Picks.Pick pick : candidate.placed()) {
      isNew &= pick.node() != candidate.node();
      if (isServer(candidate, pick.task().role()) != isServer) {
        network += (double) pick.count() * TierCost.tier(tiers, pick.node(), candidate.node());
      }
    }
    double load =
        (1.0 + candidate.heldGpus() + candidate.task().gpus())
            / candidate.index().gpus(candidate.node());
    double rest = (isServer ? load : -load) + (isNew ? 1 : 0);
    return -(TierCost.bandwidthUnits(candidate.job(), candidate.task().role()) * network
        + rest / candidate.job().tasks());
  }

  /** Returns the tiers of a topology, the last of which are kept. */
  @SuppressWarnings("ReferenceEquality") // Equality would cost what keeping them is to save.
  private NodeTiers tiers(ClusterTopology topology) {
    NodeTiers tiers = known;
    if (tiers == null || tiers.topology() != topology) {
      tiers = new NodeTiers(topology);
      known = tiers;
    }
    return tiers;
  }

  private static boolean isServer(Candidate candidate, TaskRole role) {
    return candidate.job().communication() instanceof Communication.ParameterServer pattern
        && pattern.serverRole().equals(role.name());
  }
}
