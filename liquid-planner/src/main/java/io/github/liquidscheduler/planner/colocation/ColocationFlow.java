package io.github.liquidscheduler.planner.colocation;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.colocation.search.ColocationSearch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jgrapht.Graph;
import org.jgrapht.alg.flow.mincost.CapacityScalingMinimumCostFlow;
import org.jgrapht.alg.flow.mincost.MinimumCostFlowProblem;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;

/**
 * The cheapest numbers of jobs of each kind beside each set of co-runners: the flow from kinds of
 * jobs to sets of co-runners, or to waiting, and from there to the end of all.
 */
final class ColocationFlow {

  /** The steps into which the highest cost is divided; the library takes costs up to a milliard. */
  private static final double STEPS = 1_000;

  /**
   * What waiting costs, in highest costs. Others may have to change places for one to be assigned.
   */
  private static final double DEFERRABLE = 4;

  private static final double UNDEFERRABLE = 64;

  private final Graph<Integer, DefaultWeightedEdge> graph =
      new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class);
  private final Map<DefaultWeightedEdge, Integer> capacities = new LinkedHashMap<>();
  private final Map<DefaultWeightedEdge, Share> offers = new LinkedHashMap<>();
  private final Map<Integer, Integer> nodeOf = new LinkedHashMap<>();
  private final List<Kind> kinds;
  private final int end;

  /** Jobs that are alike, whether they may as well wait, and the co-runners they may come to. */
  record Kind(List<JobSpec> jobs, List<ColocationSearch.Option> options, boolean deferrable) {}

  /** How many jobs of a kind come to a set of co-runners. */
  record Share(Kind kind, ColocationSearch.Option option, int jobs) {}

  private ColocationFlow(List<Kind> kinds) {
    this.kinds = kinds;
    Map<Integer, Integer> gpus = new TreeMap<>();
    for (Kind kind : kinds) {
      kind.options.forEach(option -> gpus.put(option.coRunners(), option.gpus()));
    }
    end = kinds.size() + gpus.size();
    for (int node = 0; node <= end; node++) {
      graph.addVertex(node);
    }
    gpus.forEach(
        (coRunners, count) -> {
          nodeOf.put(coRunners, kinds.size() + nodeOf.size());
          connect(node(coRunners), end, count, 0);
        });
  }

  /** Returns the cheapest assignment; jobs that cost less beside others than waiting are in it. */
  static List<Share> cheapest(List<Kind> kinds) {
    ColocationFlow flow = new ColocationFlow(kinds);
    if (flow.nodeOf.isEmpty()) {
      return List.of();
    }
    flow.offerAll();
    return flow.solve();
  }

  /**
   * Offers each kind its co-runners, and to wait. Costs are whole numbers, since flows are found
   * exactly in them; of equal costs the kind first in turn has it.
   */
  private void offerAll() {
    double most =
        kinds.stream()
            .flatMap(kind -> kind.options.stream())
            .mapToDouble(ColocationSearch.Option::cost)
            .max()
            .orElse(0);
    double perUnit = most > 0 ? STEPS / most : 0;
    for (int i = 0; i < kinds.size(); i++) {
      Kind kind = kinds.get(i);
      double waiting = (kind.deferrable ? DEFERRABLE : UNDEFERRABLE) * (STEPS + 1) * kinds.size();
      connect(i, end, kind.jobs.size(), waiting);
      for (ColocationSearch.Option option : kind.options) {
        int usable = option.usable().size();
        double cost = Math.round(perUnit * option.cost()) * (double) kinds.size() + i;
        offers.put(
            connect(i, node(option.coRunners()), usable, cost), new Share(kind, option, usable));
      }
    }
  }

  private List<Share> solve() {
    Map<DefaultWeightedEdge, Double> flow =
        new CapacityScalingMinimumCostFlow<Integer, DefaultWeightedEdge>()
            .getMinimumCostFlow(
                new MinimumCostFlowProblem.MinimumCostFlowProblemImpl<>(
                    graph, this::supply, edge -> capacities.getOrDefault(edge, 0)))
            .getFlowMap();
    List<Share> shares = new ArrayList<>();
    offers.forEach(
        (edge, offer) -> {
          int coming = (int) Math.round(flow.getOrDefault(edge, 0.0));
          if (coming > 0) {
            shares.add(new Share(offer.kind, offer.option, coming));
          }
        });
    return shares;
  }

  private DefaultWeightedEdge connect(int from, int to, int capacity, double cost) {
    DefaultWeightedEdge edge = graph.addEdge(from, to);
    graph.setEdgeWeight(edge, cost);
    capacities.put(edge, capacity);
    return edge;
  }

  private int node(int coRunners) {
    return Objects.requireNonNull(nodeOf.get(coRunners));
  }

  private int supply(int node) {
    return node == end
        ? -kinds.stream().mapToInt(kind -> kind.jobs.size()).sum()
        : node < kinds.size() ? kinds.get(node).jobs.size() : 0;
  }
}
