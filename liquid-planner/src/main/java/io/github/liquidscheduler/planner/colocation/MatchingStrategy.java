package io.github.liquidscheduler.planner.colocation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jgrapht.alg.interfaces.MatchingAlgorithm;
import org.jgrapht.alg.matching.blossom.v5.KolmogorovWeightedMatching;
import org.jgrapht.alg.matching.blossom.v5.ObjectiveSense;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;
import org.jgrapht.util.SupplierUtil;

/** How to choose pairs out of all that are allowed. */
@FunctionalInterface
interface MatchingStrategy {

  /** How many of its best pairs each job brings into the matching of a long queue. */
  int MOST_EDGES = 48;

  /** A pair of positions in the queue, the smaller first, and its gain, more than 0. */
  record Edge(int one, int other, double gain) {}

  /** Chooses edges no two of which meet. */
  List<Edge> choose(int jobs, List<Edge> edges);

  /** Returns the pairing with the largest sum of gains. */
  static MatchingStrategy matching() {
    return MatchingStrategy::match;
  }

  /** Returns the pairing that takes the best pair left, again and again. */
  static MatchingStrategy greedy() {
    return (jobs, edges) -> take(jobs, sorted(edges));
  }

  /** Returns the pairing that takes any pair, again and again. */
  static MatchingStrategy random(long seed) {
    return (jobs, edges) -> {
      List<Edge> shuffled = new ArrayList<>(edges);
      Collections.shuffle(shuffled, new Random(seed));
      return take(jobs, shuffled);
    };
  }

  private static List<Edge> match(int jobs, List<Edge> edges) {
    SimpleWeightedGraph<Integer, DefaultWeightedEdge> graph =
        new SimpleWeightedGraph<>(
            SupplierUtil.createIntegerSupplier(jobs),
            SupplierUtil.createSupplier(DefaultWeightedEdge.class));
    for (int job = 0; job < jobs; job++) {
      graph.addVertex(job);
    }
    for (Edge edge : best(jobs, edges)) {
      graph.setEdgeWeight(graph.addEdge(edge.one(), edge.other()), edge.gain());
    }
    if (graph.edgeSet().isEmpty()) {
      return List.of();
    }
    MatchingAlgorithm.Matching<Integer, DefaultWeightedEdge> matching =
        new KolmogorovWeightedMatching<>(graph, ObjectiveSense.MAXIMIZE).getMatching();
    List<Edge> chosen = new ArrayList<>();
    for (DefaultWeightedEdge edge : matching.getEdges()) {
      int one = graph.getEdgeSource(edge);
      int other = graph.getEdgeTarget(edge);
      chosen.add(new Edge(one, other, graph.getEdgeWeight(edge)));
    }
    return chosen;
  }

  /** Returns the pairs that are among the best of one of their jobs. */
  private static List<Edge> best(int jobs, List<Edge> edges) {
    if (jobs <= MOST_EDGES) {
      return edges;
    }
    int[] kept = new int[jobs];
    List<Edge> best = new ArrayList<>();
    for (Edge edge : sorted(edges)) {
      if (Math.min(kept[edge.one()], kept[edge.other()]) < MOST_EDGES) {
        best.add(edge);
        kept[edge.one()]++;
        kept[edge.other()]++;
      }
    }
    return best;
  }

  private static List<Edge> sorted(List<Edge> edges) {
    List<Edge> sorted = new ArrayList<>(edges);
    sorted.sort(
        Comparator.comparingDouble(Edge::gain)
            .reversed()
            .thenComparingInt(Edge::one)
            .thenComparingInt(Edge::other));
    return sorted;
  }

  private static List<Edge> take(int jobs, List<Edge> edges) {
    boolean[] taken = new boolean[jobs];
    List<Edge> chosen = new ArrayList<>();
    for (Edge edge : edges) {
      if (!taken[edge.one()] && !taken[edge.other()]) {
        taken[edge.one()] = true;
        taken[edge.other()] = true;
        chosen.add(edge);
      }
    }
    return chosen;
  }
}
