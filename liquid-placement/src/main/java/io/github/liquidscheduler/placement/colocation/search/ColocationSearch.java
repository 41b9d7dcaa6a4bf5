package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.capacity.ResidentSet;
import io.github.liquidscheduler.placement.capacity.SharedGpus;
import io.github.liquidscheduler.placement.colocation.CandidateScores;
import io.github.liquidscheduler.placement.colocation.CoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the best co-runners for one job. Each resident set is scored once, all of them in one
 * call of the policy. Which GPU of the best set is taken is decided by its position, so nothing
 * depends on the order in which co-locations came about.
 */
public final class ColocationSearch {

  private final ClusterState state;
  private final CapacityIndex index;
  private final CandidateJob candidateJob;
  private final ColocationCache colocations;
  private final Colocation colocation;
  private final @Nullable BitSet labelled;
  private final BitSet allowed = new BitSet();
  private final List<SharedGpu> candidates;
  private final List<SharedGpus.Group> found;
  private final CandidateScores scores;

  /** Prepares a search for a job on a cluster. */
  public ColocationSearch(ClusterState state, CandidateJob candidateJob, ColocationPlacer placer) {
    this.state = state;
    this.candidateJob = candidateJob;
    colocations = placer.colocations();
    colocation = placer.colocation();
    candidates = placer.scratch().candidates();
    found = placer.scratch().groups();
    scores = placer.scratch().scores();
    index = state.index();
    labelled =
        candidateJob.job().nodeLabels().isEmpty()
            ? null
            : index.nodesWith(candidateJob.job().nodeLabels());
  }

  /** Returns the best place beside others, or null if there is none. */
  @Nullable ColocationCandidate find() {
    if (!score()) {
      return null;
    }
    return candidateJob.tasks() == 1
        ? findOne()
        : new GangColocation(this, candidateJob, index, colocation.spanPenalty()).find();
  }

  /**
   * Returns every resident set that a job of one task may join, the first GPU of the cluster first.
   *
   * @param most how many GPUs of each set are looked for
   */
  public List<Option> options(int most) {
    List<Option> options = new ArrayList<>();
    if (score()) {
      for (int i = 0; i < candidates.size(); i++) {
        NavigableSet<Integer> gpus = found.get(i).gpus();
        List<Integer> usable = scores.isAdmitted(i) ? usable(gpus, most) : List.of();
        if (!usable.isEmpty()) {
          options.add(
              new Option(this, gpus.first(), gpus.size(), usable, scores.cost(i), model(i)));
        }
      }
      options.sort(Comparator.comparingInt(Option::coRunners));
    }
    return options;
  }

  /**
   * A resident set that the job may join.
   *
   * @param search the search that found it
   * @param coRunners the position of the first GPU that has it
   * @param gpus on how many GPUs it is
   * @param usable the positions of those that may be used, ascending
   * @param cost what it costs
   * @param model the model of these GPUs
   */
  public record Option(
      ColocationSearch search,
      int coRunners,
      int gpus,
      List<Integer> usable,
      double cost,
      GpuModel model) {

    /** Returns the placement of a job like the one searched for on the GPU at a position. */
    public Placement place(JobSpec job, int position) {
      return new Placement(job.id(), List.of(search.task(0, position, model)));
    }
  }

  /**
   * Returns the place of a job of one task on a GPU beside others, or null if it may not go there.
   */
  public @Nullable ColocationCandidate findOn(int position) {
    if (!score()) {
      return null;
    }
    int node = index.nodeOfGpu(position);
    int candidate = candidateOn(position);
    return candidate >= 0 && isUsable(node, position) && room(node) > 0
        ? found(candidate, position)
        : null;
  }

  /** Returns whether the policy admits the job on all these GPUs. */
  boolean allowsAll(List<GpuId> gpus) {
    return score()
        && gpus.stream()
            .allMatch(
                gpu ->
                    candidateOn(
                            topology().gpusBefore(topology().position(gpu.node())) + gpu.index())
                        >= 0);
  }

  /** Returns the candidate that stands for a GPU, or -1 if the policy admits none there. */
  private int candidateOn(int position) {
    for (int i = 0; i < candidates.size(); i++) {
      if (found.get(i).gpus().contains(position)) {
        return scores.isAdmitted(i) ? i : -1;
      }
    }
    return -1;
  }

  /** Lets the policy score all resident sets; returns false if there is none. */
  private boolean score() {
    if (!knowsLevels()) {
      return false;
    }
    candidates.clear();
    found.clear();
    collect();
    if (candidates.isEmpty()) {
      return false;
    }
    scores.reset(candidates.size());
    colocation.policy().score(candidates, state.observations(), scores);
    return true;
  }

  private ColocationCandidate found(int candidate, int gpu) {
    return new ColocationCandidate(
        new Placement(candidateJob.job().id(), List.of(task(0, gpu, model(candidate)))),
        scores.cost(candidate));
  }

  private boolean knowsLevels() {
    TopologyConstraint topology = candidateJob.job().topology();
    List<String> levels = index.topology().levels();
    return topology.required().map(levels::contains).orElse(true)
        && topology.preferred().map(levels::contains).orElse(true);
  }

  private void collect() {
    List<SharedGpus.Group> groups = state.shared().groups();
    Map<ResidentSet, ColocationCache.Answer> answers = colocations.answers(state, candidateJob);
    for (int i = 0; i < groups.size(); i++) {
      SharedGpus.Group group = groups.get(i);
      if (allows(group.residentSet().pool())) {
        @Nullable SharedGpu candidate = colocations.beside(state, candidateJob, group, answers);
        if (candidate != null && !isBanned(candidate)) {
          candidates.add(candidate);
          found.add(group);
        }
      }
    }
  }

  /** Returns whether two of the candidate were measured to slow each other down too much. */
  private boolean isBanned(SharedGpu candidate) {
    Observations observations = state.observations();
    List<CoRunner> residents = candidate.residents();
    CoRunner own = candidate.candidateJob();
    for (int i = 0; i < residents.size(); i++) {
      if (isBanned(own, residents.get(i), candidate.gpu(), observations)
          || isBanned(residents.get(i), own, candidate.gpu(), observations)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBanned(
      CoRunner victim, CoRunner other, GpuModel gpu, Observations observations) {
    double floor = victim.sharing() instanceof Sharing.Guaranteed promised ? promised.floor() : 0;
    return observations.isBanned(
        victim.profile().workload(), other.profile().workload(), gpu, floor);
  }

  private boolean allows(int pool) {
    if (!allowed.get(2 * pool)) {
      allowed.set(2 * pool);
      allowed.set(2 * pool + 1, candidateJob.allows(model(index.pools().get(pool))));
    }
    return allowed.get(2 * pool + 1);
  }

  private @Nullable ColocationCandidate findOne() {
    int best = -1;
    int bestGpu = -1;
    for (int i = 0; i < candidates.size(); i++) {
      if (scores.isAdmitted(i) && (best < 0 || compare(i, best) <= 0)) {
        int gpu = firstUsable(found.get(i).gpus());
        if (gpu >= 0 && (best < 0 || compare(i, best) < 0 || gpu < bestGpu)) {
          best = i;
          bestGpu = gpu;
        }
      }
    }
    return best < 0 ? null : found(best, bestGpu);
  }

  /** Compares candidates by cost, then by the preference rank of their models. */
  private int compare(int one, int other) {
    int byCost = Double.compare(scores.cost(one), scores.cost(other));
    return byCost != 0 ? byCost : Integer.compare(preferenceRank(one), preferenceRank(other));
  }

  private int preferenceRank(int candidate) {
    return candidateJob.job().gpuModels().indexOf(model(candidate));
  }

  private int firstUsable(NavigableSet<Integer> positions) {
    for (int position : positions) {
      int node = index.nodeOfGpu(position);
      if (isUsable(node, position) && room(node) > 0) {
        return position;
      }
    }
    return -1;
  }

  private List<Integer> usable(NavigableSet<Integer> positions, int most) {
    return positions.stream()
        .filter(position -> isUsable(index.nodeOfGpu(position), position))
        .filter(position -> room(index.nodeOfGpu(position)) > 0)
        .limit(most)
        .toList();
  }

  /** Returns whether tasks may come to the GPU at a position in the cluster. */
  boolean isUsable(int node, int position) {
    return index.health(node) == NodeHealth.UP
        && (labelled == null || labelled.get(node))
        && !index.isLost(node, position - topology().gpusBefore(node));
  }

  /** Returns how many tasks the CPU and the host memory of the node are enough for. */
  int room(int node) {
    long room = candidateJob.tasks();
    if (candidateJob.cpu() > 0) {
      room = Math.min(room, index.freeCpu(node) / candidateJob.cpu());
    }
    if (candidateJob.memory() > 0) {
      room = Math.min(room, index.freeMemory(node) / candidateJob.memory());
    }
    return (int) room;
  }

  int size() {
    return candidates.size();
  }

  GpuModel model(int candidate) {
    return model(index.pools().get(found.get(candidate).residentSet().pool()));
  }

  private static GpuModel model(GpuPool pool) {
    return pool.model().orElseThrow();
  }

  NavigableSet<Integer> gpus(int candidate) {
    return found.get(candidate).gpus();
  }

  CandidateScores scores() {
    return scores;
  }

  double costOfEmpty() {
    return colocation.policy().costOfEmpty();
  }

  SharingMode mode(GpuModel model) {
    return colocation.mode(model);
  }

  NetworkModel network() {
    return state.loads().model();
  }

  ClusterTopology topology() {
    return index.topology();
  }

  /** Returns the placement of a task on the GPU at a position in the cluster. */
  TaskPlacement task(int number, int position, GpuModel model) {
    GpuId gpu = gpu(position);
    ResourceRequest granted = candidateJob.granted(colocation.mode(model), model);
    return new TaskPlacement(
        new TaskId(candidateJob.role().name(), number), gpu.node(), List.of(gpu.index()), granted);
  }

  private GpuId gpu(int position) {
    int node = index.nodeOfGpu(position);
    return new GpuId(topology().nodes().get(node).id(), position - topology().gpusBefore(node));
  }
}
