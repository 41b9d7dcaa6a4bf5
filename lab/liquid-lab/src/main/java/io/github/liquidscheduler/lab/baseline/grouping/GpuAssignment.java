package io.github.liquidscheduler.lab.baseline.grouping;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jgrapht.Graph;
import org.jgrapht.alg.interfaces.MatchingAlgorithm;
import org.jgrapht.alg.matching.HopcroftKarpMaximumCardinalityBipartiteMatching;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.DefaultUndirectedGraph;
import org.jspecify.annotations.Nullable;

/**
 * Gives the tasks on a node GPUs that they may have, each as many as it asks for. Where GPUs differ
 * so that the first to come takes what only another could use, they are matched.
 */
final class GpuAssignment {

  private GpuAssignment() {}

  /**
   * What a task asks for.
   *
   * @param gpus how many
   * @param allowed those it may have, in ascending order
   */
  record Ask(int gpus, List<Integer> allowed) {}

  /** Returns the GPUs of each task; null if they cannot all have theirs. */
  static @Nullable List<List<Integer>> of(List<Ask> asks) {
    List<List<Integer>> firstCome = firstCome(asks);
    return firstCome != null || !isMatchingOfUse(asks) ? firstCome : matched(asks);
  }

  /** Returns whether there are GPUs enough, and who comes first matters. */
  private static boolean isMatchingOfUse(List<Ask> asks) {
    List<List<Integer>> kinds =
        asks.stream().filter(ask -> ask.gpus > 0).map(Ask::allowed).distinct().toList();
    long gpus = kinds.stream().flatMap(List::stream).distinct().count();
    return kinds.size() > 1 && asks.stream().mapToInt(Ask::gpus).sum() <= gpus;
  }

  private static @Nullable List<List<Integer>> firstCome(List<Ask> asks) {
    Set<Integer> taken = new LinkedHashSet<>();
    List<List<Integer>> assigned = new ArrayList<>();
    for (Ask ask : asks) {
      List<Integer> mine =
          ask.allowed.stream().filter(gpu -> !taken.contains(gpu)).limit(ask.gpus).toList();
      if (mine.size() < ask.gpus) {
        return null;
      }
      taken.addAll(mine);
      assigned.add(mine);
    }
    return assigned;
  }

  /** One GPU that a task asks for, or one that there is. */
  private record Vertex(boolean isAsked, int owner, int number) {
    static Vertex asked(int task, int number) {
      return new Vertex(true, task, number);
    }

    static Vertex gpu(int gpu) {
      return new Vertex(false, gpu, 0);
    }
  }

  private static @Nullable List<List<Integer>> matched(List<Ask> asks) {
    Graph<Vertex, DefaultEdge> graph = new DefaultUndirectedGraph<>(DefaultEdge.class);
    Set<Vertex> asked = new LinkedHashSet<>();
    Set<Vertex> gpus = new LinkedHashSet<>();
    for (int task = 0; task < asks.size(); task++) {
      for (int number = 0; number < asks.get(task).gpus; number++) {
        Vertex one = Vertex.asked(task, number);
        asked.add(one);
        graph.addVertex(one);
        for (int gpu : asks.get(task).allowed) {
          gpus.add(Vertex.gpu(gpu));
          graph.addVertex(Vertex.gpu(gpu));
          graph.addEdge(one, Vertex.gpu(gpu));
        }
      }
    }
    MatchingAlgorithm.Matching<Vertex, DefaultEdge> matching =
        new HopcroftKarpMaximumCardinalityBipartiteMatching<>(graph, asked, gpus).getMatching();
    return matching.getEdges().size() < asked.size() ? null : assigned(asks, graph, matching);
  }

  private static List<List<Integer>> assigned(
      List<Ask> asks,
      Graph<Vertex, DefaultEdge> graph,
      MatchingAlgorithm.Matching<Vertex, DefaultEdge> matching) {
    List<List<Integer>> assigned =
        IntStream.range(0, asks.size()).<List<Integer>>mapToObj(i -> new ArrayList<>()).toList();
    for (DefaultEdge edge : matching.getEdges()) {
      Vertex one = graph.getEdgeSource(edge);
      Vertex other = graph.getEdgeTarget(edge);
      int task = one.isAsked ? one.owner : other.owner;
      assigned.get(task).add(one.isAsked ? other.owner : one.owner);
    }
    assigned.forEach(gpus -> gpus.sort(null));
    return assigned;
  }
}
