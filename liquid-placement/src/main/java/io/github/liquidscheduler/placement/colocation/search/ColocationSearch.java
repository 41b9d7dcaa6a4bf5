package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.SharedGpus;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Searches for the best co-runners of one job. Of the best resident set the first GPU by position
 * is taken, so that nothing depends on history. Valid until the placer's next search.
 */
public final class ColocationSearch {

  private final ClusterState state;
  private final CandidateJob candidateJob;
  private final Colocation colocation;
  private final ScoredCandidates candidates;

  /** Makes a search for a job on a cluster. */
  public ColocationSearch(ClusterState state, JobSpec job, ColocationPlacer placer) {
    this(state, job, placer, state.shared().groups());
  }

  /** Makes a search among some of the resident sets of a cluster. */
  ColocationSearch(
      ClusterState state, JobSpec job, ColocationPlacer placer, List<SharedGpus.Group> among) {
    this.state = state;
    candidateJob = placer.candidateCache().candidateJob(job);
    colocation = placer.colocation();
    candidates = new ScoredCandidates(state, candidateJob, placer, among);
  }

  /** Returns the best placement beside others, or null if there is none. */
  @Nullable ColocationCandidate find() {
    if (candidates.size() == 0) {
      return null;
    }
    return candidateJob.tasks() == 1
        ? findOne()
        : new GangColocation(state, candidateJob, colocation, candidates).find();
  }

  /**
   * Returns every resident set that a job of one task may join, the first GPU of the cluster first.
   *
   * @param most the largest number of GPUs of each set
   */
  public List<Option> options(int most) {
    List<Option> options = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      if (candidates.isAdmitted(i)) {
        NavigableSet<Integer> gpus = candidates.gpus(i);
        List<Integer> usable = gpus.stream().filter(candidates::isUsable).limit(most).toList();
        if (!usable.isEmpty()) {
          GpuModel model = candidates.model(i);
          options.add(
              new Option(this, gpus.first(), gpus.size(), usable, candidates.cost(i), model));
        }
      }
    }
    options.sort(Comparator.comparingInt(Option::coRunners));
    return options;
  }

  /**
   * A resident set that the job may join.
   *
   * @param search the search that found it
   * @param coRunners the position of the first GPU that has it
   * @param gpus the number of its GPUs
   * @param usable the positions of usable ones, ascending
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
      return new Placement(job.id(), List.of(search.task(position, model)));
    }
  }

  /** Returns the placement of a job of one task on a GPU beside others, if it is allowed. */
  public Optional<Placement> findOn(GpuId gpu) {
    int position = position(gpu);
    int candidate = candidates.on(position);
    return candidate >= 0 && candidates.isUsable(position)
        ? Optional.of(found(candidate, position).placement())
        : Optional.empty();
  }

  /** Returns true if a task of the job may go on one of these GPUs. */
  boolean mayUse(BitSet gpus) {
    for (int i = 0; i < candidates.size(); i++) {
      if (candidates.isAdmitted(i) && isAnyUsable(candidates.gpus(i), gpus)) {
        return true;
      }
    }
    return false;
  }

  private boolean isAnyUsable(NavigableSet<Integer> positions, BitSet gpus) {
    for (int position : positions) {
      if (gpus.get(position) && candidates.isUsable(position)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if the policy admits the job on all these GPUs. */
  boolean allowsAll(List<GpuId> gpus) {
    return gpus.stream().allMatch(gpu -> candidates.on(position(gpu)) >= 0);
  }

  private int position(GpuId gpu) {
    int node = state.topology().position(gpu.node());
    return state.topology().gpusBefore(node) + gpu.index();
  }

  private @Nullable ColocationCandidate findOne() {
    int best = -1;
    int bestGpu = -1;
    for (int i = 0; i < candidates.size(); i++) {
      if (candidates.isAdmitted(i) && (best < 0 || compare(i, best) <= 0)) {
        int gpu = firstUsable(candidates.gpus(i));
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
    int byCost = Double.compare(candidates.cost(one), candidates.cost(other));
    return byCost != 0 ? byCost : Integer.compare(preferenceRank(one), preferenceRank(other));
  }

  private int preferenceRank(int candidate) {
    return candidateJob.job().gpuModels().indexOf(candidates.model(candidate));
  }

  private int firstUsable(NavigableSet<Integer> positions) {
    for (int position : positions) {
      if (candidates.isUsable(position)) {
        return position;
      }
    }
    return -1;
  }

  private ColocationCandidate found(int candidate, int gpu) {
    return new ColocationCandidate(
        new Placement(candidateJob.job().id(), List.of(task(gpu, candidates.model(candidate)))),
        candidates.cost(candidate));
  }

  private TaskPlacement task(int position, GpuModel model) {
    return candidateJob.task(0, state.index(), position, colocation.mode(model));
  }
}
