package io.github.liquidscheduler.lab.reference.gavel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jgrapht.Graph;
import org.jgrapht.alg.matching.blossom.v5.KolmogorovWeightedMatching;
import org.jgrapht.alg.matching.blossom.v5.ObjectiveSense;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;
import org.jgrapht.util.SupplierUtil;

/**
 * Which jobs share a GPU, at given prices of GPUs: the matching with the largest sum of what pairs
 * gain over what their jobs are worth alone, less the GPUs they take.
 */
final class PairMatching {

  private static final double LEAST_GAIN = 1e-6;

  private PairMatching() {}

  /**
   * Returns the pairs, in the order of {@code pairs}.
   *
   * @param gains what each pair gains; those above 0 count
   */
  static List<Combination> best(List<Combination> pairs, double[] gains) {
    Map<GavelJob, Integer> vertexOf = new HashMap<>();
    Graph<Integer, DefaultWeightedEdge> graph =
        new SimpleWeightedGraph<>(
            SupplierUtil.createIntegerSupplier(), SupplierUtil.createDefaultWeightedEdgeSupplier());
    Map<DefaultWeightedEdge, Combination> pairOf = new LinkedHashMap<>();
    for (int i = 0; i < gains.length; i++) {
      if (gains[i] > LEAST_GAIN) {
        Combination pair = pairs.get(i);
        int first = vertexOf.computeIfAbsent(pair.jobs().get(0), job -> graph.addVertex());
        int second = vertexOf.computeIfAbsent(pair.jobs().get(1), job -> graph.addVertex());
        DefaultWeightedEdge edge = graph.addEdge(first, second);
        graph.setEdgeWeight(edge, gains[i]);
        pairOf.put(edge, pair);
      }
    }
    if (pairOf.isEmpty()) {
      return List.of();
    }
    Set<DefaultWeightedEdge> matched =
        new KolmogorovWeightedMatching<>(graph, ObjectiveSense.MAXIMIZE).getMatching().getEdges();
    List<Combination> best = new ArrayList<>();
    pairOf.forEach(
        (edge, pair) -> {
          if (matched.contains(edge)) {
            best.add(pair);
          }
        });
    return best;
  }
}
