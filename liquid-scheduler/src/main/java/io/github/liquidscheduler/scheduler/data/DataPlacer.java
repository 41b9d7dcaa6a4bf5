package io.github.liquidscheduler.scheduler.data;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.ForwardingPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Prefers, among equally good placements, one whose nodes hold the job's data sets: on no more
 * nodes, in no more domains, and with at most {@code moreGpus} more free GPUs left over than the
 * base placer's. Feasibility is unchanged. A call for a job with data sets costs O(nodes) and up to
 * two placements.
 *
 * @param moreGpus the additional free GPUs that a local placement may leave over
 */
public record DataPlacer(Placer placer, int moreGpus) implements ForwardingPlacer {

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    Optional<Placement> found = placer.place(view, job);
    if (found.isEmpty()
        || job.datasets().isEmpty()
        || found.get().nodes().stream().allMatch(node -> hasAll(view, node, job))) {
      return found;
    }
    List<String> without = new ArrayList<>();
    for (Node node : view.topology().nodes()) {
      if (!hasAll(view, node.id(), job)) {
        without.add(node.id().value());
      }
    }
    if (without.size() == view.topology().nodes().size()) {
      return found;
    }
    return placer
        .place(view, job.toBuilder().excludeNodes(without).build())
        .filter(local -> isAsGood(view, local, found.get()))
        .or(() -> found);
  }

  private static boolean hasAll(ClusterView view, NodeId node, JobSpec job) {
    return job.datasets().stream().allMatch(dataset -> view.holds(node, dataset));
  }

  private boolean isAsGood(ClusterView view, Placement local, Placement found) {
    return local.nodes().size() <= found.nodes().size()
        && domains(view, local) <= domains(view, found)
        && leftOver(view, local) <= leftOver(view, found) + moreGpus;
  }

  private static long domains(ClusterView view, Placement placement) {
    return placement.nodes().stream()
        .map(node -> view.topology().node(node).domain())
        .distinct()
        .count();
  }

  private static int leftOver(ClusterView view, Placement placement) {
    return placement.nodes().stream().mapToInt(view::freeGpus).sum() - placement.gpus();
  }
}
