package io.github.liquidscheduler.planner.colocation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jgrapht.Graph;
import org.jgrapht.alg.matching.blossom.v5.KolmogorovWeightedMatching;
import org.jgrapht.alg.matching.blossom.v5.ObjectiveSense;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;
import org.jgrapht.util.SupplierUtil;

/** The choice of pairs, no two of which share a job, with the largest sum of gains. */
final class MaximumMatching {

  /** How many of its best pairs each job brings into the matching of a long queue. */
  private static final int MOST_EDGES = 48;

  /** A pair of positions in the queue, the smaller first, and its gain, more than 0. */
  record Edge(int one, int other, double gain) {}

  private MaximumMatching() {}

  /** Returns the edges chosen, by their first positions. */
  static List<Edge> of(int jobs, List<Edge> edges) {
    if (edges.isEmpty()) {
      return List.of();
    }
    Graph<Integer, DefaultWeightedEdge> graph =
        new SimpleWeightedGraph<>(
            SupplierUtil.createIntegerSupplier(jobs),
            SupplierUtil.createSupplier(DefaultWeightedEdge.class));
    for (int job = 0; job < jobs; job++) {
      graph.addVertex(job);
    }
    for (Edge edge : best(jobs, edges)) {
      graph.setEdgeWeight(graph.addEdge(edge.one(), edge.other()), edge.gain());
    }
    return new KolmogorovWeightedMatching<>(graph, ObjectiveSense.MAXIMIZE)
        .getMatching().getEdges().stream()
            .map(
                edge ->
                    new Edge(
                        graph.getEdgeSource(edge),
                        graph.getEdgeTarget(edge),
                        graph.getEdgeWeight(edge)))
            .sorted(Comparator.comparingInt(Edge::one))
            .toList();
  }

  /** Returns the pairs that are among the best of one of their jobs. */
  private static List<Edge> best(int jobs, List<Edge> edges) {
    if (jobs <= MOST_EDGES) {
      return edges;
    }
    List<Edge> sorted = new ArrayList<>(edges);
    sorted.sort(
        Comparator.comparingDouble(Edge::gain)
            .reversed()
            .thenComparingInt(Edge::one)
            .thenComparingInt(Edge::other));
    int[] kept = new int[jobs];
    sorted.removeIf(
        edge -> {
          boolean known = Math.min(kept[edge.one()], kept[edge.other()]) >= MOST_EDGES;
          kept[edge.one()] += known ? 0 : 1;
          kept[edge.other()] += known ? 0 : 1;
          return known;
        });
    return sorted;
  }
}
