package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes room for a gang that fits nowhere, by moving running jobs out of one domain: a node, a rack
 * or an NVLink domain, whichever costs least. A pure function of what it is given.
 *
 * <p>Of each domain that could hold the gang the running jobs that may move are moved elsewhere,
 * those first that free most for what they cost, until the gang fits; then those are left where
 * they are without which it fits too. Each job finds its new place while it still holds the old
 * one, and after those moved before it, so the order never takes what is not there. Domains are
 * tried in the order of what they must cost at least, until no other can be cheaper. It is a
 * heuristic: a cheaper set of moves may exist.
 */
public final class DefragmentationPlanner {

  private final Placer placer;

  private DefragmentationPlanner(Placer placer) {
    this.placer = placer;
  }

  /** Returns a planner that finds places, old and new, with {@code placer}. */
  public static DefragmentationPlanner with(Placer placer) {
    return new DefragmentationPlanner(Objects.requireNonNull(placer, "placer"));
  }

  /**
   * Returns the moves, and the start of the gang after them, as a plan; empty if the gang fits
   * without, if no moves make it fit, or if they cost as much as it gains. The cost of the plan is
   * that of the moves.
   *
   * <p>What the start gains is shared among the moves in proportion to their costs, since none of
   * them gains anything without the others.
   *
   * @param view the cluster, unchanged by the call; it must know the jobs that may move
   * @param gang the waiting job
   * @param gain what starting it now gains, in seconds
   * @param moveCosts the running jobs that may move, with what moving each costs in seconds, at
   *     least 0
   * @throws IllegalArgumentException if a job that may move does not run or is not known
   */
  public Optional<BatchPlan> plan(
      ClusterView view, JobSpec gang, double gain, Map<JobId, Double> moveCosts) {
    if (placer.place(view, gang).isPresent()) {
      return Optional.empty();
    }
    ClusterState state = ClusterState.copyOf(view);
    List<Mover> movers = movers(view, moveCosts);
    @Nullable Moves best = null;
    for (Candidate candidate : candidates(state, gang, movers)) {
      double limit = best == null ? gain : best.cost();
      if (candidate.least < limit) {
        @Nullable Moves found = new Clearing(state, gang, candidate).find(limit);
        best = found == null ? best : found;
      }
    }
    return Optional.ofNullable(best).map(moves -> moves.plan(gain));
  }

  private static List<Mover> movers(ClusterView view, Map<JobId, Double> moveCosts) {
    List<Mover> movers = new ArrayList<>();
    moveCosts.forEach(
        (id, cost) -> {
          if (!(cost >= 0 && Double.isFinite(cost))) {
            throw new IllegalArgumentException(
                "what a move costs must be finite and not negative, but was %s, for job '%s'"
                    .formatted(cost, id));
          }
          JobSpec job =
              view.job(id)
                  .orElseThrow(
                      () ->
                          new IllegalArgumentException(
                              "a job that may move must run and be known, but '%s' is not"
                                  .formatted(id)));
          movers.add(new Mover(job, view.placement(id).orElseThrow(), cost));
        });
    return movers;
  }

  /** Returns the domains that could hold the gang, what must cost least first. */
  private static List<Candidate> candidates(ClusterState state, JobSpec gang, List<Mover> movers) {
    List<Candidate> candidates = new ArrayList<>();
    for (NodeRange range : ranges(state.topology(), gang)) {
      List<Mover> inside =
          movers.stream()
              .filter(mover -> mover.gpusIn(range, state.topology()) > 0)
              .sorted(
                  Comparator.comparingDouble(
                      mover -> mover.cost / mover.gpusIn(range, state.topology())))
              .toList();
      double missing = gang.gpus() - freeGpus(state, range);
      double least = 0;
      for (Mover mover : inside) {
        int gpus = mover.gpusIn(range, state.topology());
        least += mover.cost * Math.clamp(missing / gpus, 0, 1);
        missing -= gpus;
      }
      if (missing <= 0 && !inside.isEmpty()) {
        candidates.add(new Candidate(range, inside, least));
      }
    }
    candidates.sort(Comparator.comparingDouble(Candidate::least));
    return candidates;
  }

  /** Returns the nodes and domains that the gang may be in, the narrow ones first. */
  private static List<NodeRange> ranges(ClusterTopology topology, JobSpec gang) {
    Optional<String> widest = gang.topology().required().or(() -> gang.topology().preferred());
    int least = widest.map(level -> topology.levels().indexOf(level)).orElse(0);
    List<NodeRange> ranges = new ArrayList<>();
    for (int node = 0; node < topology.nodes().size(); node++) {
      ranges.add(new NodeRange(node, node + 1));
    }
    for (int level = topology.levels().size() - 2; level >= Math.max(1, least); level--) {
      String name = topology.levels().get(level);
      for (Domain domain : topology.domains()) {
        if (domain.level().equals(name)) {
          ranges.add(topology.nodesOf(domain.id()));
        }
      }
    }
    return ranges;
  }

  private static int freeGpus(ClusterState state, NodeRange range) {
    int free = 0;
    for (Node node : state.topology().nodes().subList(range.first(), range.end())) {
      free += state.freeGpus(node.id());
    }
    return free;
  }

  /** A running job that may move. */
  private record Mover(JobSpec job, Placement from, double cost) {

    int gpusIn(NodeRange range, ClusterTopology topology) {
      int gpus = 0;
      for (TaskPlacement task : from.tasks()) {
        gpus += range.contains(topology.position(task.node())) ? task.gpus().size() : 0;
      }
      return gpus;
    }
  }

  /** A domain, who may leave it, and what its room must cost at least. */
  private record Candidate(NodeRange range, List<Mover> inside, double least) {}

  /** Moves in their order, and where the gang starts after them. */
  private record Moves(Map<Mover, Placement> places, Placement start) {

    double cost() {
      return places.keySet().stream().mapToDouble(Mover::cost).sum();
    }

    BatchPlan plan(double gain) {
      double all = cost();
      List<Migration> migrations = new ArrayList<>();
      places.forEach(
          (mover, to) -> {
            double part = all > 0 ? mover.cost / all : 1.0 / places.size();
            migrations.add(new Migration(mover.job.id(), to, mover.cost, gain * part));
          });
      return new BatchPlan(
          0,
          List.of(start),
          migrations,
          List.of(),
          new PlanCertificate(all, all, 0, places.size(), List.of()));
    }
  }

  /** The search for moves out of one domain. */
  private final class Clearing {
    private final ClusterState before;
    private final JobSpec gang;
    private final Candidate candidate;

    Clearing(ClusterState before, JobSpec gang, Candidate candidate) {
      this.before = before;
      this.gang = gang;
      this.candidate = candidate;
    }

    /** Returns moves that cost less than {@code limit}, or null if none were found. */
    @Nullable Moves find(double limit) {
      List<Mover> chosen = new ArrayList<>();
      @Nullable Moves found = null;
      double cost = 0;
      for (Mover mover : candidate.inside) {
        if (found == null && cost + mover.cost < limit) {
          chosen.add(mover);
          Tried tried = tried(chosen);
          if (tried.places.containsKey(mover)) {
            cost += mover.cost;
            found = tried.moves();
          } else {
            chosen.remove(mover);
          }
        }
      }
      return found == null ? null : withoutNeedless(found, chosen);
    }

    private Moves withoutNeedless(Moves moves, List<Mover> chosen) {
      Moves least = moves;
      for (Mover mover : List.copyOf(chosen).reversed()) {
        List<Mover> others = chosen.stream().filter(other -> !other.equals(mover)).toList();
        Tried tried = tried(others);
        @Nullable Moves without = tried.places.size() == others.size() ? tried.moves() : null;
        if (without != null) {
          least = without;
          chosen.remove(mover);
        }
      }
      return least;
    }

    private Tried tried(List<Mover> movers) {
      ClusterState state = before.copy();
      setHealth(state, NodeHealth.DRAINING);
      Map<Mover, Placement> places = new LinkedHashMap<>();
      for (Mover mover : movers) {
        Optional<Placement> to = placer.place(state, mover.job);
        if (to.isPresent()) {
          state.release(mover.job.id());
          state.apply(mover.job, to.get());
          places.put(mover, to.get());
        }
      }
      setHealth(state, NodeHealth.UP);
      return new Tried(places, placer.place(state, gang));
    }

    /** Sets the nodes of the domain that were up, so that placers leave them alone or not. */
    private void setHealth(ClusterState state, NodeHealth health) {
      NodeRange range = candidate.range;
      for (Node node : state.topology().nodes().subList(range.first(), range.end())) {
        if (before.health(node.id()) == NodeHealth.UP) {
          state.setHealth(node.id(), health);
        }
      }
    }
  }

  /** What some moves come to: where each goes, and where the gang would start. */
  private record Tried(Map<Mover, Placement> places, Optional<Placement> start) {
    @Nullable Moves moves() {
      return start.map(place -> new Moves(places, place)).orElse(null);
    }
  }
}
