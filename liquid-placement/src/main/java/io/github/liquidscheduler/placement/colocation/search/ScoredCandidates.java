package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.ResidentSet;
import io.github.liquidscheduler.placement.capacity.SharedGpus;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy.CandidateScores;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.placement.colocation.SharedGpu.CoRunner;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * The resident sets that a job may join, each scored once and all in one call of the policy, with
 * their usable GPUs.
 */
final class ScoredCandidates {

  private final CapacityIndex index;
  private final CandidateJob job;
  private final @Nullable BitSet labelled;
  private final List<SharedGpu> candidates;
  private final List<SharedGpus.Group> groups;
  private final CandidateScores scores;

  /** Scores some resident sets of a cluster; the lists are those of the placer's last search. */
  ScoredCandidates(
      ClusterState state, CandidateJob job, ColocationPlacer placer, List<SharedGpus.Group> among) {
    this.job = job;
    index = state.index();
    labelled = index.nodesAllowedTo(job.job());
    candidates = placer.scratch().candidates();
    groups = placer.scratch().groups();
    scores = placer.scratch().scores();
    candidates.clear();
    groups.clear();
    if (hasRequiredLevel()) {
      collect(state, placer.candidateCache(), among);
    }
    if (!candidates.isEmpty()) {
      scores.reset(candidates.size());
      placer.colocation().policy().score(candidates, state.observations(), scores);
    }
  }

  private boolean hasRequiredLevel() {
    List<String> levels = index.topology().levels();
    return job.job().topology().required().map(levels::contains).orElse(true);
  }

  private void collect(ClusterState state, ColocationCache cache, List<SharedGpus.Group> among) {
    Map<ResidentSet, SharedGpu> answers = cache.answers(state, job);
    ColocationCache.@Nullable CoRunnerLimits[] limits = limits(state, cache);
    for (int i = 0; i < among.size(); i++) {
      SharedGpus.Group group = among.get(i);
      ColocationCache.@Nullable CoRunnerLimits ofPool = limits[group.residentSet().pool()];
      if (ofPool != null) {
        @Nullable SharedGpu candidate = cache.beside(state, job, group, answers, ofPool);
        if (candidate != null && !isBanned(candidate, state.observations())) {
          candidates.add(candidate);
          groups.add(group);
        }
      }
    }
  }

  /** Returns the limits of co-runners on GPUs of each pool; null for pools the job may not use. */
  private ColocationCache.@Nullable CoRunnerLimits[] limits(
      ClusterState state, ColocationCache cache) {
    ColocationCache.@Nullable CoRunnerLimits[] limits =
        new ColocationCache.CoRunnerLimits[index.pools().size()];
    for (int pool = 0; pool < limits.length; pool++) {
      boolean isAllowed = index.pools().get(pool).model().filter(job::allows).isPresent();
      limits[pool] = isAllowed ? cache.limits(state, job, pool) : null;
    }
    return limits;
  }

  /** Returns true if two jobs of the candidate are banned from each other. */
  private static boolean isBanned(SharedGpu candidate, Observations observations) {
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

  int size() {
    return candidates.size();
  }

  SharedGpu candidate(int candidate) {
    return candidates.get(candidate);
  }

  boolean isAdmitted(int candidate) {
    return scores.isAdmitted(candidate);
  }

  double cost(int candidate) {
    return scores.cost(candidate);
  }

  double speed(int candidate) {
    return scores.speed(candidate);
  }

  /** Returns the positions of the GPUs with these residents. */
  NavigableSet<Integer> gpus(int candidate) {
    return groups.get(candidate).gpus();
  }

  /** Returns the model of these GPUs. */
  GpuModel model(int candidate) {
    return index.pools().get(groups.get(candidate).residentSet().pool()).model().orElseThrow();
  }

  /** Returns the candidate that stands for a GPU, or -1 if the policy admits none there. */
  int on(int position) {
    for (int i = 0; i < candidates.size(); i++) {
      if (gpus(i).contains(position)) {
        return isAdmitted(i) ? i : -1;
      }
    }
    return -1;
  }

  /** Returns true if the GPU at a position in the cluster can take at least one task. */
  boolean isUsable(int position) {
    return fitting(position) > 0;
  }

  /**
   * Returns the number of tasks that the node of a GPU holds by CPU and host memory; 0 if the GPU
   * may not be used.
   */
  int fitting(int position) {
    int node = index.nodeOfGpu(position);
    if (index.health(node) != NodeHealth.UP
        || (labelled != null && !labelled.get(node))
        || index.isLost(node, position - index.topology().gpusBefore(node))) {
      return 0;
    }
    long tasks = job.tasks();
    if (job.cpu() > 0) {
      tasks = Math.min(tasks, index.freeCpu(node) / job.cpu());
    }
    if (job.memory() > 0) {
      tasks = Math.min(tasks, index.freeMemory(node) / job.memory());
    }
    return (int) tasks;
  }
}
