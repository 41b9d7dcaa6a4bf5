package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The search for jobs to move out of one domain so that a gang fits. */
final class DomainClearing {

  private final Placer placer;
  private final ClusterState before;
  private final NodeRange range;
  private final JobSpec gang;

  DomainClearing(Placer placer, ClusterState before, NodeRange range, JobSpec gang) {
    this.placer = placer;
    this.before = before;
    this.range = range;
    this.gang = gang;
  }

  /** A running job that may move. */
  record Mover(JobSpec job, Placement from, double cost) {

    int gpusIn(NodeRange range, ClusterTopology topology) {
      int gpus = 0;
      for (TaskPlacement task : from.tasks()) {
        gpus += range.contains(topology.position(task.node())) ? task.gpus().size() : 0;
      }
      return gpus;
    }
  }

  /** Moves in their order, and where the gang starts after them. */
  record Cleared(Map<Mover, Placement> places, Placement start) {

    double cost() {
      return places.keySet().stream().mapToDouble(Mover::cost).sum();
    }
  }

  /**
   * Returns moves, in the order of the movers, that cost less than {@code limit}, if it finds any.
   */
  Optional<Cleared> find(List<Mover> movers, double limit) {
    List<Mover> candidates = List.copyOf(places(before.copy(), movers, limit).keySet());
    try (LeavingSearch<Mover> search = new LeavingSearch<>(new WithMoves(candidates))) {
      return search
          .shortestHead(candidates)
          .map(search::withoutNeedless)
          .map(found -> new Cleared(placesOf(found.leaving()), found.placement()));
    }
  }

  private Map<Mover, Placement> placesOf(List<Mover> movers) {
    return places(before.copy(), movers, Double.POSITIVE_INFINITY);
  }

  /** The cluster once some have moved, in the order of the candidates. */
  private final class WithMoves implements LeavingSearch.Leaving<Mover> {

    private final List<Mover> candidates;
    // Never iterated.
    private final Set<Mover> moved = new HashSet<>();

    WithMoves(List<Mover> candidates) {
      this.candidates = candidates;
    }

    @Override
    public void leave(Mover mover) {
      moved.add(mover);
    }

    @Override
    public void comeBack(Mover mover) {
      moved.remove(mover);
    }

    /** Returns the gang's placement once all of these have moved, if all can and it then fits. */
    @Override
    public Optional<Placement> place() {
      ClusterState state = before.copy();
      List<Mover> movers = candidates.stream().filter(moved::contains).toList();
      return places(state, movers, Double.POSITIVE_INFINITY).size() == movers.size()
          ? placer.place(state, gang)
          : Optional.empty();
    }
  }

  /** Moves those who find a place elsewhere one after the other, all of them below a cost. */
  private Map<Mover, Placement> places(ClusterState state, List<Mover> movers, double limit) {
    setHealth(state, NodeHealth.DRAINING);
    Map<Mover, Placement> places = new LinkedHashMap<>();
    double cost = 0;
    for (Mover mover : movers) {
      Optional<Placement> to =
          cost + mover.cost < limit ? placer.place(state, mover.job) : Optional.empty();
      if (to.isPresent()) {
        state.release(mover.job.id());
        state.apply(mover.job, to.get());
        places.put(mover, to.get());
        cost += mover.cost;
      }
    }
    setHealth(state, NodeHealth.UP);
    return places;
  }

  /** Sets the nodes of the domain that were up, so that placers leave them alone or not. */
  private void setHealth(ClusterState state, NodeHealth health) {
    for (Node node : state.topology().nodes().subList(range.first(), range.end())) {
      if (before.health(node.id()) == NodeHealth.UP) {
        state.setHealth(node.id(), health);
      }
    }
  }
}
