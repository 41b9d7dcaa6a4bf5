package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.CoRunnerKey;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.capacity.ResidentSet;
import io.github.liquidscheduler.placement.capacity.SharedGpus;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.placement.colocation.SharedGpu.CoRunner;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of candidates: an equal candidate job beside an equal resident set is one object, and so
 * are its profiles, by whose identity predictors remember answers. Forgetting changes no answer.
 * Resident sets name the GPU pools of one cluster, so those of another are forgotten. Not
 * thread-safe.
 */
final class ColocationCache {

  private static final int MOST_PROFILES = 16_384;
  private static final int MOST_ANSWERS = 262_144;

  private final Colocation colocation;
  private final SameProfiles same = new SameProfiles();
  // None of these is ever iterated.
  private final Map<CoRunnerKey, Map<GpuModel, ColocationProfile>> profiles = new HashMap<>();
  private final Map<CoRunnerKey, Map<ResidentSet, SharedGpu>> candidates = new HashMap<>();
  private final Map<ResidentSet, List<CoRunner>> residents = new HashMap<>();
  private @Nullable ClusterTopology topology;
  private int remembered;

  ColocationCache(Colocation colocation) {
    this.colocation = colocation;
  }

  /** Returns the job as a candidate. */
  CandidateJob candidateJob(JobSpec job) {
    return new CandidateJob(job, gpu -> profile(job, gpu), same);
  }

  private ColocationProfile profile(JobSpec job, GpuModel gpu) {
    if (profiles.size() > MOST_PROFILES) {
      profiles.clear();
    }
    return profiles
        .computeIfAbsent(CandidateJob.keyOf(job), key -> new HashMap<>())
        .computeIfAbsent(gpu, model -> colocation.profile(job, model));
  }

  /** Returns the cached candidates of a job by resident set of a cluster. */
  Map<ResidentSet, SharedGpu> answers(ClusterState state, CandidateJob candidateJob) {
    if (!state.topology().equals(topology) || remembered > MOST_ANSWERS) {
      candidates.clear();
      residents.clear();
      remembered = 0;
      topology = state.topology();
    }
    return candidates.computeIfAbsent(candidateJob.key(), key -> new HashMap<>());
  }

  /**
   * Returns the candidate job beside a resident set; null if it exceeds the limits or a resident is
   * exclusive.
   *
   * @param group the resident set and the GPUs that it is on
   * @param answers the cached candidates of the job
   * @param limits the limits of its co-runners on GPUs of the pool
   */
  @Nullable SharedGpu beside(
      ClusterState state,
      CandidateJob candidateJob,
      SharedGpus.Group group,
      Map<ResidentSet, SharedGpu> answers,
      CoRunnerLimits limits) {
    if (!limits.isBeside(group.residentSet())) {
      return null;
    }
    @Nullable SharedGpu known = answers.get(group.residentSet());
    if (known == null) {
      known = make(state, candidateJob, group, limits);
      answers.put(group.residentSet(), known);
      remembered++;
    }
    return known;
  }

  private SharedGpu make(
      ClusterState state,
      CandidateJob candidateJob,
      SharedGpus.Group group,
      CoRunnerLimits limits) {
    SharingMode mode = limits.mode();
    return new SharedGpu(
        mode.predictedAs(limits.model()),
        candidateJob.seen(mode, limits.model()),
        residents(state, limits.model(), mode, group),
        new Memory(limits.memory() - group.residentSet().memory()));
  }

  private List<CoRunner> residents(
      ClusterState state, GpuModel model, SharingMode mode, SharedGpus.Group group) {
    @Nullable List<CoRunner> known = residents.get(group.residentSet());
    if (known == null) {
      known = computeResidents(state, model, mode, state.index().gpu(group.gpus().first()));
      residents.put(group.residentSet(), known);
      remembered++;
    }
    return known;
  }

  private List<CoRunner> computeResidents(
      ClusterState state, GpuModel model, SharingMode mode, GpuId gpu) {
    List<CoRunner> residents = new ArrayList<>();
    for (Resident resident : state.residents(gpu)) {
      JobSpec job = state.job(resident.job()).orElseThrow();
      residents.add(
          new CoRunner(job.sharing(), same.of(mode.seen(profile(job, model), resident.share()))));
    }
    return residents;
  }

  /** Returns the limits of co-runners of a job on GPUs of a pool, which has a model. */
  CoRunnerLimits limits(ClusterState state, CandidateJob candidateJob, int pool) {
    GpuPool gpus = state.index().pools().get(pool);
    GpuModel model = gpus.model().orElseThrow();
    SharingMode mode = colocation.mode(model);
    ResourceRequest granted = candidateJob.granted(mode, model);
    long memory = gpus.memory().bytes() - granted.gpuMemory().orElse(Memory.ZERO).bytes();
    int share = 1000 - granted.share().orElse(GpuShare.WHOLE).thousandths();
    return new CoRunnerLimits(model, mode, share, memory, mode.maxResidents() - 1);
  }

  /**
   * The limits of co-runners beside a candidate job on GPUs of a pool.
   *
   * @param model the model of the GPUs
   * @param share the compute, in thousandths
   * @param memory the device memory in bytes
   * @param residents the largest number of co-runners
   */
  record CoRunnerLimits(GpuModel model, SharingMode mode, int share, long memory, int residents) {

    /** Returns true if a resident set is within the limits. */
    boolean isBeside(ResidentSet others) {
      return others.coRunnerKeys().size() <= residents
          && others.share() <= share
          && others.memory() <= memory
          && !others.isExclusive();
    }
  }
}
