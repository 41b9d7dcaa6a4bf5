package io.github.liquidscheduler.lab.reference.gavel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jgrapht.Graph;
import org.jgrapht.alg.flow.mincost.CapacityScalingMinimumCostFlow;
import org.jgrapht.alg.flow.mincost.MinimumCostFlowProblem.MinimumCostFlowProblemImpl;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;

/**
 * The assignment of jobs of one GPU to places in queues with the least sum of completion times. A
 * job that is the k-th from the end of a queue delays k jobs, itself included, so that its place
 * costs k times its duration there. GPUs of one model are alike, so that their k-th places are one
 * node with as many units in a minimum-cost flow.
 */
final class QueueAssignment {

  /** The library takes costs up to a milliard, and paths add them up. */
  private static final double HIGHEST_COST = 1e7;

  private final Graph<Integer, DefaultWeightedEdge> graph =
      new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class);
  private final Map<DefaultWeightedEdge, Integer> capacities = new LinkedHashMap<>();
  private final Map<DefaultWeightedEdge, Place> places = new LinkedHashMap<>();
  private final List<GavelJob> jobs;
  private final int[] gpus;
  private final int end;

  /** A job as the k-th from the end of the queue of a GPU of a model. */
  private record Place(GavelJob job, int model, int fromEnd) {}

  private QueueAssignment(List<GavelJob> jobs, int[] gpus) {
    this.jobs = jobs;
    this.gpus = gpus;
    this.end = jobs.size() * (1 + gpus.length);
    for (int node = 0; node <= end; node++) {
      graph.addVertex(node);
    }
  }

  /**
   * Returns the GPU models of those who are the first of a queue. Of jobs in places alike, the
   * longest queues begin with those later in {@code jobs}.
   *
   * @param jobs jobs of one GPU
   * @param gpus the number of free GPUs of each model
   */
  static Map<GavelJob, Integer> first(List<GavelJob> jobs, int[] gpus) {
    Map<GavelJob, Integer> first = new LinkedHashMap<>();
    if (!jobs.isEmpty()) {
      QueueAssignment assignment = new QueueAssignment(jobs, gpus);
      List<Place> solved = assignment.solve();
      for (int model = 0; model < gpus.length; model++) {
        assignment.addFirst(solved, model, first);
      }
    }
    return first;
  }

  private void addFirst(List<Place> solved, int model, Map<GavelJob, Integer> first) {
    List<Place> behind = List.of();
    for (int fromEnd = jobs.size(); fromEnd >= 1; fromEnd--) {
      List<Place> alike = places(solved, model, fromEnd);
      for (Place place : alike.subList(Math.min(behind.size(), alike.size()), alike.size())) {
        first.put(place.job, model);
      }
      behind = alike;
    }
  }

  private static List<Place> places(List<Place> solved, int model, int fromEnd) {
    return solved.stream()
        .filter(place -> place.model == model && place.fromEnd == fromEnd)
        .toList();
  }

  private List<Place> solve() {
    double perSecond = HIGHEST_COST / (jobs.size() * longest());
    for (int job = 0; job < jobs.size(); job++) {
      connect(job, end, 1, 2 * HIGHEST_COST);
      for (int model = 0; model < gpus.length; model++) {
        offer(job, model, perSecond);
      }
    }
    for (int model = 0; model < gpus.length; model++) {
      for (int fromEnd = 1; fromEnd <= jobs.size(); fromEnd++) {
        connect(node(model, fromEnd), end, gpus[model], 0);
      }
    }
    Map<DefaultWeightedEdge, Double> flow =
        new CapacityScalingMinimumCostFlow<Integer, DefaultWeightedEdge>()
            .getMinimumCostFlow(
                new MinimumCostFlowProblemImpl<>(
                    graph, this::supply, edge -> capacities.getOrDefault(edge, 0)))
            .getFlowMap();
    List<Place> solved = new ArrayList<>();
    places.forEach(
        (edge, place) -> {
          if (flow.getOrDefault(edge, 0.0) > 0.5) {
            solved.add(place);
          }
        });
    return solved;
  }

  private void offer(int job, int model, double perSecond) {
    GavelJob each = jobs.get(job);
    if (each.speed(model) > 0) {
      double cost = perSecond * each.remaining() / each.speed(model);
      for (int fromEnd = 1; fromEnd <= jobs.size(); fromEnd++) {
        places.put(
            connect(job, node(model, fromEnd), 1, Math.rint(fromEnd * cost)),
            new Place(each, model, fromEnd));
      }
    }
  }

  /** Returns the longest duration of a job on a GPU model, in seconds. */
  private double longest() {
    double longest = 0;
    for (GavelJob job : jobs) {
      for (int model = 0; model < gpus.length; model++) {
        if (job.speed(model) > 0) {
          longest = Math.max(longest, job.remaining() / job.speed(model));
        }
      }
    }
    return longest;
  }

  private DefaultWeightedEdge connect(int from, int to, int capacity, double cost) {
    DefaultWeightedEdge edge = graph.addEdge(from, to);
    graph.setEdgeWeight(edge, cost);
    capacities.put(edge, capacity);
    return edge;
  }

  private int node(int model, int fromEnd) {
    return jobs.size() * (1 + model) + fromEnd - 1;
  }

  private int supply(int node) {
    return node == end ? -jobs.size() : node < jobs.size() ? 1 : 0;
  }
}
