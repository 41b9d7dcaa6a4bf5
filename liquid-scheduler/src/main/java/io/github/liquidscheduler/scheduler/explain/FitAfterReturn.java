package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch.Result;
import io.github.liquidscheduler.scheduler.state.NodeFailures;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the draining or lost nodes and GPUs that must return so that a waiting job fits, most
 * recently lost first. The cluster is unchanged afterwards.
 */
record FitAfterReturn(ClusterState cluster, NodeFailures failures, Placer placer, JobSpec job) {

  /** A missing node, or a missing GPU on its node. */
  private record Gone(NodeId node, Optional<GpuId> gpu, NodeHealth health) {}

  /**
   * Returns the nodes and GPUs that must return; empty if none is missing or they do not suffice.
   */
  Optional<Counterfactual> find() {
    List<Gone> gone = gone();
    if (gone.isEmpty()) {
      return Optional.empty();
    }
    try (LeavingSearch<Gone> search = new LeavingSearch<>(new Repaired())) {
      return search
          .shortestHead(gone)
          .map(FitAfterReturn::onItsNodes)
          .map(search::withoutNeedless)
          .map(Result::leaving)
          .filter(needed -> !needed.isEmpty())
          .map(FitAfterReturn::remedy);
    }
  }

  private List<Gone> gone() {
    Stream<Gone> nodes =
        Stream.concat(
            failures.draining().stream()
                .map(node -> new Gone(node, Optional.empty(), NodeHealth.DRAINING)),
            failures.lostNodes().stream()
                .map(node -> new Gone(node, Optional.empty(), NodeHealth.LOST)));
    Stream<Gone> gpus =
        failures.lostGpus().stream()
            .map(gpu -> new Gone(gpu.node(), Optional.of(gpu), NodeHealth.UP));
    return Stream.concat(nodes, gpus).toList();
  }

  /** The cluster with some failures undone. */
  private final class Repaired implements LeavingSearch.Leaving<Gone> {

    @Override
    public void leave(Gone failure) {
      NodeId node = failure.node();
      failure.gpu().ifPresentOrElse(cluster::restore, () -> cluster.setHealth(node, NodeHealth.UP));
    }

    @Override
    public void comeBack(Gone failure) {
      failure
          .gpu()
          .ifPresentOrElse(
              cluster::fail, () -> cluster.setHealth(failure.node(), failure.health()));
    }

    @Override
    public Optional<Placement> place() {
      return placer.place(cluster, job);
    }
  }

  private static Result<Gone> onItsNodes(Result<Gone> found) {
    Set<NodeId> nodes = found.placement().nodes();
    return new Result<>(
        found.placement(),
        found.leaving().stream().filter(each -> nodes.contains(each.node())).toList());
  }

  private static Counterfactual remedy(List<Gone> needed) {
    List<NodeId> nodes = new ArrayList<>();
    List<GpuId> gpus = new ArrayList<>();
    needed.forEach(each -> each.gpu().ifPresentOrElse(gpus::add, () -> nodes.add(each.node())));
    return new Counterfactual.AfterReturn(nodes, gpus);
  }
}
