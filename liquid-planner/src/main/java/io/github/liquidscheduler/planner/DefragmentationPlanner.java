package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Frees capacity for a gang that fits nowhere, by moving running jobs out of one domain: a node, a
 * rack or an NVLink domain, whichever costs least. A pure function of what it is given.
 *
 * <p>Of each domain that could hold the gang the running jobs that may move are moved elsewhere,
 * those first that free most for what they cost, as few as make the gang fit; then those are left
 * where they are without which it fits too. Each job finds its new place while it still holds the
 * old one, and after those moved before it, so the order never takes what is not there. Domains are
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
    List<DomainClearing.Mover> movers = movers(view, moveCosts);
    Optional<DomainClearing.Cleared> best = Optional.empty();
    for (Candidate candidate : candidates(state, gang, movers)) {
      double limit = best.map(DomainClearing.Cleared::cost).orElse(gain);
      if (candidate.least < limit) {
        Optional<DomainClearing.Cleared> found =
            new DomainClearing(placer, state, candidate.range, gang).find(candidate.inside, limit);
        best = found.isPresent() ? found : best;
      }
    }
    return best.map(cleared -> plan(cleared, gain));
  }

  private static BatchPlan plan(DomainClearing.Cleared cleared, double gain) {
    double all = cleared.cost();
    List<Migration> migrations = new ArrayList<>();
    cleared
        .places()
        .forEach(
            (mover, to) -> {
              double part = all > 0 ? mover.cost() / all : 1.0 / cleared.places().size();
              migrations.add(new Migration(mover.job().id(), to, mover.cost(), gain * part));
            });
    return new BatchPlan(
        0,
        List.of(cleared.start()),
        migrations,
        List.of(),
        new PlanCertificate(all, all, 0, migrations.size(), List.of()));
  }

  private static List<DomainClearing.Mover> movers(ClusterView view, Map<JobId, Double> moveCosts) {
    List<DomainClearing.Mover> movers = new ArrayList<>();
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
          movers.add(new DomainClearing.Mover(job, view.placement(id).orElseThrow(), cost));
        });
    return movers;
  }

  /** Returns the domains that could hold the gang, what must cost least first. */
  private static List<Candidate> candidates(
      ClusterState state, JobSpec gang, List<DomainClearing.Mover> movers) {
    List<Candidate> candidates = new ArrayList<>();
    for (NodeRange range : ranges(state.topology(), gang)) {
      List<DomainClearing.Mover> inside =
          movers.stream()
              .filter(mover -> mover.gpusIn(range, state.topology()) > 0)
              .sorted(
                  Comparator.comparingDouble(
                      mover -> mover.cost() / mover.gpusIn(range, state.topology())))
              .toList();
      double missing = gang.gpus() - freeGpus(state, range);
      double least = 0;
      for (DomainClearing.Mover mover : inside) {
        int gpus = mover.gpusIn(range, state.topology());
        least += mover.cost() * Math.clamp(missing / gpus, 0, 1);
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
    return state.topology().nodes().subList(range.first(), range.end()).stream()
        .mapToInt(node -> state.freeGpus(node.id()))
        .sum();
  }

  /** A domain, the jobs that may leave it, and the least cost of clearing it. */
  private record Candidate(NodeRange range, List<DomainClearing.Mover> inside, double least) {}
}
