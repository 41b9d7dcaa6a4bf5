package io.github.liquidscheduler.planner.colocation;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.CoRunnerKey;
import io.github.liquidscheduler.placement.colocation.search.CandidateJob;
import io.github.liquidscheduler.placement.colocation.search.ColocationPlacer;
import io.github.liquidscheduler.placement.colocation.search.ColocationSearch;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jgrapht.Graph;
import org.jgrapht.alg.flow.mincost.CapacityScalingMinimumCostFlow;
import org.jgrapht.alg.flow.mincost.MinimumCostFlowProblem;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;

/**
 * Says which of many waiting jobs of one task come beside whom, all at once: as many as can, those
 * that nobody may bypass before all others, and so that together they cost least by the rule. Each
 * GPU gets one candidate job at most.
 *
 * <p>It is a minimum-cost flow from kinds of jobs to kinds of co-runners, so its size does not grow
 * with the number of jobs or GPUs. Only where jobs may not use all GPUs of a set of co-runners, for
 * their labels or for want of CPU or host memory, may fewer get a place than could.
 */
final class ColocationAssignment {

  /** How many kinds of co-runners, the cheapest, are looked at for each kind of job. */
  private static final int MOST_OPTIONS = 64;

  /** Into so many steps the highest cost is divided; the library takes costs up to a milliard. */
  private static final double STEPS = 1_000;

  /**
   * What waiting costs, in highest costs. Others may have to change places for one to be assigned.
   */
  private static final double DEFERRABLE = 4;

  private static final double UNDEFERRABLE = 64;

  private final ClusterState state;
  private final ColocationPlacer placer;
  private final List<Kind> kinds = new ArrayList<>();
  private final Map<Integer, Integer> capacities = new TreeMap<>();

  private ColocationAssignment(ClusterState state, ColocationPlacer placer) {
    this.state = state;
    this.placer = placer;
  }

  /**
   * Returns where jobs go beside others; no place takes the room of another but for CPU and host
   * memory of nodes.
   *
   * @param jobs jobs of one task that may share, in turn
   * @param deferrable those of them that may as well wait
   */
  static List<Placement> of(
      ClusterState state, ColocationPlacer placer, List<JobSpec> jobs, Set<JobId> deferrable) {
    ColocationAssignment assignment = new ColocationAssignment(state, placer);
    assignment.collect(jobs, deferrable);
    return assignment.capacities.isEmpty() ? List.of() : assignment.assigned();
  }

  private void collect(List<JobSpec> jobs, Set<JobId> deferrable) {
    Map<Key, List<JobSpec>> byKind = new LinkedHashMap<>();
    for (JobSpec job : jobs) {
      Key key = Key.of(job, deferrable.contains(job.id()));
      byKind.computeIfAbsent(key, unknown -> new ArrayList<>()).add(job);
    }
    byKind.forEach(
        (key, alike) -> {
          CandidateJob candidateJob = placer.colocations().candidateJob(alike.get(0));
          List<ColocationSearch.Option> options =
              new ColocationSearch(state, candidateJob, placer).options(jobs.size());
          List<ColocationSearch.Option> cheapest =
              options.stream()
                  .sorted(Comparator.comparingDouble(ColocationSearch.Option::cost))
                  .limit(MOST_OPTIONS)
                  .toList();
          cheapest.forEach(option -> capacities.put(option.coRunners(), option.gpus()));
          kinds.add(new Kind(alike, cheapest, key.deferrable()));
        });
  }

  private List<Placement> assigned() {
    Network network = new Network(kinds, capacities);
    Costs costs = new Costs(kinds);
    for (int i = 0; i < kinds.size(); i++) {
      Kind kind = kinds.get(i);
      network.letWait(i, costs.ofWaiting(kind));
      for (ColocationSearch.Option option : kind.options) {
        network.offer(i, option, costs.of(option, i));
      }
    }
    return placements(network.solve());
  }

  /**
   * Gives jobs their GPUs; of a set of co-runners those choose first who may use the fewest of its
   * GPUs.
   */
  private List<Placement> placements(List<Share> shares) {
    List<Share> inOrder = new ArrayList<>(shares);
    inOrder.sort(Comparator.comparingInt(share -> share.option.usable().size()));
    Set<Integer> taken = new LinkedHashSet<>();
    List<Placement> places = new ArrayList<>();
    for (Share share : inOrder) {
      List<JobSpec> jobs = kinds.get(share.kind).next(share.jobs);
      Iterator<Integer> free =
          share.option.usable().stream().filter(gpu -> !taken.contains(gpu)).iterator();
      for (JobSpec job : jobs) {
        if (free.hasNext()) {
          int gpu = free.next();
          places.add(share.option.place(job, gpu));
          taken.add(gpu);
        }
      }
    }
    return places;
  }

  /** How many jobs of a kind come to a set of co-runners. */
  private record Share(int kind, ColocationSearch.Option option, int jobs) {}

  /** What jobs have in common that may go to the same places at the same cost. */
  private record Key(
      CoRunnerKey coRunnerKey,
      ResourceRequest request,
      List<GpuModel> models,
      Map<String, String> labels,
      TopologyConstraint topology,
      boolean deferrable) {
    static Key of(JobSpec job, boolean deferrable) {
      return new Key(
          CandidateJob.keyOf(job),
          job.roles().get(0).request(),
          job.gpuModels(),
          job.nodeLabels(),
          job.topology(),
          deferrable);
    }
  }

  /** Jobs that are alike, and the co-locations they may come to. */
  private static final class Kind {
    private final List<JobSpec> jobs;
    private final List<ColocationSearch.Option> options;
    private final boolean deferrable;
    private int assigned;

    Kind(List<JobSpec> jobs, List<ColocationSearch.Option> options, boolean deferrable) {
      this.jobs = jobs;
      this.options = options;
      this.deferrable = deferrable;
    }

    /** Returns the next so many of them in turn. */
    List<JobSpec> next(int count) {
      assigned += count;
      return jobs.subList(assigned - count, assigned);
    }
  }

  /** From kinds of jobs to co-locations, or to waiting, and from there to the end of all. */
  private static final class Network {
    private final Graph<Integer, DefaultWeightedEdge> graph =
        new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class);
    private final Map<DefaultWeightedEdge, Integer> capacities = new LinkedHashMap<>();
    private final Map<DefaultWeightedEdge, Share> offers = new LinkedHashMap<>();
    private final Map<Integer, Integer> nodeOf = new LinkedHashMap<>();
    private final List<Kind> kinds;
    private final int end;
    private int jobs;

    Network(List<Kind> kinds, Map<Integer, Integer> capacities) {
      this.kinds = kinds;
      end = kinds.size() + capacities.size();
      for (int node = 0; node <= end; node++) {
        graph.addVertex(node);
      }
      capacities.forEach(
          (coRunners, gpus) -> {
            nodeOf.put(coRunners, kinds.size() + nodeOf.size());
            connect(node(coRunners), end, gpus, 0);
          });
    }

    void letWait(int kind, double cost) {
      int all = kinds.get(kind).jobs.size();
      connect(kind, end, all, cost);
      jobs += all;
    }

    void offer(int kind, ColocationSearch.Option option, double cost) {
      int usable = option.usable().size();
      offers.put(
          connect(kind, node(option.coRunners()), usable, cost), new Share(kind, option, usable));
    }

    /** Returns how many jobs of each kind come to which co-runners at least cost, none left out. */
    List<Share> solve() {
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
      return node == end ? -jobs : node < kinds.size() ? kinds.get(node).jobs.size() : 0;
    }
  }

  /** What places and waiting cost, as whole numbers, since flows are found exactly in them. */
  private static final class Costs {
    private final double perUnit;
    private final double places;

    Costs(List<Kind> kinds) {
      double most =
          kinds.stream()
              .flatMap(kind -> kind.options.stream())
              .mapToDouble(ColocationSearch.Option::cost)
              .max()
              .orElse(0);
      perUnit = most > 0 ? STEPS / most : 0;
      places = kinds.size();
    }

    /**
     * Returns what a set of co-runners costs a kind; of equal costs the kind first in turn has it.
     */
    double of(ColocationSearch.Option option, int kind) {
      return Math.round(perUnit * option.cost()) * places + kind;
    }

    double ofWaiting(Kind kind) {
      return (kind.deferrable ? DEFERRABLE : UNDEFERRABLE) * (STEPS + 1) * places;
    }
  }
}
