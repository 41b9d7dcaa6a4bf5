package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * Idea: every admitted or empty GPU of a model is a candidate task with the cost of its resident
 * set; candidates are sorted within each node, so that a node or domain is judged by the head of
 * its list.
 * Invariants: a gang has one model; a node counts no more tasks than its CPU and memory hold; ties
 * go to lower positions, so the result depends on the cluster only.
 * Cost: O(shared and empty GPUs log) for each model, plus O(levels x nodes log nodes) if no node
 * holds the gang; the exact choice within a node is limited by TaskChoice.
 * Source: IASP/IAPP, NLWP, see TaskChoice.
 */
/**
 * Searches for the best co-runners of a gang, one GPU for each task, all of one model: on the
 * cheapest node, else in the narrowest domain with enough GPUs, on few of its nodes. Empty GPUs are
 * used too.
 */
record GangColocation(
    ClusterState state,
    CandidateJob candidateJob,
    Colocation colocation,
    ScoredCandidates candidates) {

  @Nullable ColocationCandidate find() {
    return models().stream()
        .map(this::find)
        .flatMap(Optional::stream)
        .min(Comparator.comparingDouble(ColocationCandidate::cost))
        .orElse(null);
  }

  private List<GpuModel> models() {
    return candidateJob.job().gpuModels().isEmpty()
        ? state.index().pools().stream()
            .map(GpuPool::model)
            .flatMap(Optional::stream)
            .distinct()
            .toList()
        : candidateJob.job().gpuModels();
  }

  private Optional<ColocationCandidate> find(GpuModel model) {
    NavigableMap<Integer, NodeCandidates> nodes = nodes(model);
    Optional<List<ColocatedTask>> best = cheapestNode(nodes);
    String widest = candidateJob.job().topology().required().orElse(ClusterTopology.CLUSTER);
    int last = state.index().topology().levelPosition(widest).orElse(0);
    for (int level = state.index().topology().levels().size() - 2;
        best.isEmpty() && level >= last;
        level--) {
      best = cheapestDomain(level, nodes);
    }
    return best.map(places -> found(places, model));
  }

  private ColocationCandidate found(List<ColocatedTask> places, GpuModel model) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (ColocatedTask place : places) {
      tasks.add(
          candidateJob.task(tasks.size(), state.index(), place.gpu(), colocation.mode(model)));
    }
    return new ColocationCandidate(new Placement(candidateJob.job().id(), tasks), cost(places));
  }

  private NavigableMap<Integer, NodeCandidates> nodes(GpuModel model) {
    NavigableMap<Integer, NodeCandidates> nodes = new TreeMap<>();
    for (int candidate = 0; candidate < candidates.size(); candidate++) {
      if (candidates.model(candidate).equals(model) && candidates.isAdmitted(candidate)) {
        for (int gpu : candidates.gpus(candidate)) {
          add(
              nodes,
              new ColocatedTask(gpu, candidates.cost(candidate), candidates.speed(candidate)));
        }
      }
    }
    for (GpuPool pool : state.index().pools()) {
      if (pool.model().filter(model::equals).isPresent() && isEnough(pool, model)) {
        addEmpty(nodes, pool);
      }
    }
    nodes.values().forEach(NodeCandidates::sort);
    return nodes;
  }

  private boolean isEnough(GpuPool pool, GpuModel model) {
    return candidateJob
            .granted(colocation.mode(model), model)
            .gpuMemory()
            .map(memory -> memory.compareTo(pool.memory()) <= 0)
            .orElse(true)
        && !(colocation.mode(model) instanceof SharingMode.MigSlice);
  }

  private void addEmpty(NavigableMap<Integer, NodeCandidates> nodes, GpuPool pool) {
    for (int free = 1; free <= pool.maxFree(); free++) {
      int slot = pool.next(free, 0, pool.size(), candidateJob.cpu(), candidateJob.memory());
      while (slot >= 0) {
        int node = pool.nodeOf(slot);
        for (int gpu = 0; gpu < state.index().gpus(node); gpu++) {
          if (state.index().isFree(pool, node, gpu)) {
            int position = state.index().topology().gpusBefore(node) + gpu;
            add(nodes, new ColocatedTask(position, colocation.policy().costOfEmpty(), 1));
          }
        }
        slot = pool.next(free, slot + 1, pool.size(), candidateJob.cpu(), candidateJob.memory());
      }
    }
  }

  private void add(NavigableMap<Integer, NodeCandidates> nodes, ColocatedTask place) {
    int node = state.index().nodeOfGpu(place.gpu());
    int most = candidates.fitting(place.gpu());
    if (most > 0) {
      nodes.computeIfAbsent(node, key -> new NodeCandidates(node, most)).places.add(place);
    }
  }

  private Optional<List<ColocatedTask>> cheapestNode(NavigableMap<Integer, NodeCandidates> nodes) {
    int tasks = candidateJob.tasks();
    return nodes.values().stream()
        .filter(each -> each.holds() >= tasks)
        .min(Comparator.comparingDouble(each -> cost(each.places.subList(0, tasks))))
        .map(
            each ->
                new TaskChoice(candidateJob, state.index(), state.loads().model(), each.node)
                    .choose(each.places));
  }

  private Optional<List<ColocatedTask>> cheapestDomain(
      int level, NavigableMap<Integer, NodeCandidates> nodes) {
    return state.index().nodesOf(level).stream()
        .map(range -> List.copyOf(nodes.subMap(range.first(), range.end()).values()))
        .filter(
            inside -> inside.stream().mapToInt(NodeCandidates::holds).sum() >= candidateJob.tasks())
        .map(this::onFewNodes)
        .min(Comparator.comparingDouble(this::cost));
  }

  private List<ColocatedTask> onFewNodes(List<NodeCandidates> inside) {
    List<NodeCandidates> nodes = new ArrayList<>(inside);
    nodes.sort(
        Comparator.comparingInt(NodeCandidates::holds)
            .reversed()
            .thenComparingDouble(NodeCandidates::cost)
            .thenComparingInt(each -> each.node));
    List<ColocatedTask> places = new ArrayList<>();
    for (NodeCandidates each : nodes) {
      int taken = Math.min(each.holds(), candidateJob.tasks() - places.size());
      places.addAll(each.places.subList(0, taken));
    }
    return places;
  }

  private double cost(List<ColocatedTask> places) {
    double sum = 0;
    int first = state.index().nodeOfGpu(places.get(0).gpu());
    boolean spans = false;
    for (ColocatedTask place : places) {
      sum += place.cost();
      spans |= state.index().nodeOfGpu(place.gpu()) != first;
    }
    return sum / places.size() + (spans ? colocation.spanPenalty() : 0);
  }

  /** The candidates of a node. */
  private static final class NodeCandidates {
    private final int node;
    private final int most;
    private final List<ColocatedTask> places = new ArrayList<>();

    NodeCandidates(int node, int most) {
      this.node = node;
      this.most = most;
    }

    void sort() {
      places.sort(
          Comparator.comparingDouble(ColocatedTask::cost).thenComparingInt(ColocatedTask::gpu));
    }

    int holds() {
      return Math.min(most, places.size());
    }

    double cost() {
      double sum = 0;
      for (int i = 0; i < holds(); i++) {
        sum += places.get(i).cost();
      }
      return sum / Math.max(1, holds());
    }
  }
}
