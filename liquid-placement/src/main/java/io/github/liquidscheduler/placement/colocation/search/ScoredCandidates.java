package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.ResidentSet;
import io.github.liquidscheduler.placement.capacity.SharedGpus;
import io.github.liquidscheduler.placement.colocation.CandidateScores;
import io.github.liquidscheduler.placement.colocation.CoRunner;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * The resident sets that a job may join, by their positions, each scored once and all of them in
 * one call of the policy; and which of their GPUs it may use.
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
      collect(state, placer.colocations(), among);
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
    ColocationCache.@Nullable Room[] rooms = rooms(state, cache);
    for (int i = 0; i < among.size(); i++) {
      SharedGpus.Group group = among.get(i);
      ColocationCache.@Nullable Room room = rooms[group.residentSet().pool()];
      if (room != null) {
        @Nullable SharedGpu candidate = cache.beside(state, job, group, answers, room);
        if (candidate != null && !isBanned(candidate, state.observations())) {
          candidates.add(candidate);
          groups.add(group);
        }
      }
    }
  }

  /** Returns what the job needs on GPUs of each pool; null where it may not use them. */
  private ColocationCache.@Nullable Room[] rooms(ClusterState state, ColocationCache cache) {
    ColocationCache.@Nullable Room[] rooms = new ColocationCache.Room[index.pools().size()];
    for (int pool = 0; pool < rooms.length; pool++) {
      boolean isAllowed = index.pools().get(pool).model().filter(job::allows).isPresent();
      rooms[pool] = isAllowed ? cache.room(state, job, pool) : null;
    }
    return rooms;
  }

  /** Returns whether two of the candidate were measured to slow each other down too much. */
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

  /** Returns the positions of the GPUs that have the residents. */
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

  /** Returns whether the GPU at a position in the cluster may be used, for one task at least. */
  boolean isUsable(int position) {
    return room(position) > 0;
  }

  /**
   * Returns how many tasks the CPU and the host memory of the node of a GPU are enough for; 0 if no
   * task may come to the GPU.
   */
  int room(int position) {
    int node = index.nodeOfGpu(position);
    if (index.health(node) != NodeHealth.UP
        || (labelled != null && !labelled.get(node))
        || index.isLost(node, position - index.topology().gpusBefore(node))) {
      return 0;
    }
    long room = job.tasks();
    if (job.cpu() > 0) {
      room = Math.min(room, index.freeCpu(node) / job.cpu());
    }
    if (job.memory() > 0) {
      room = Math.min(room, index.freeMemory(node) / job.memory());
    }
    return (int) room;
  }
}
