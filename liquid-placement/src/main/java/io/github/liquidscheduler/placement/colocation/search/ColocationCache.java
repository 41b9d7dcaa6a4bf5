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
import io.github.liquidscheduler.placement.colocation.CoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SameProfiles;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
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
 * Candidates that were looked at before: the same candidate job beside the same resident set is the
 * same object, and so are the profiles in it, by whose identity predictors remember their answers.
 * What is forgotten is made anew, which changes no answer. Resident sets name the GPU pools of one
 * cluster, so those of another are forgotten. Not thread-safe.
 */
public final class ColocationCache {

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
  public CandidateJob candidateJob(JobSpec job) {
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

  /** Returns what is known of the candidate job beside resident sets of a cluster. */
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
   * Returns the candidate job beside a resident set, or null if there is no room or somebody wants
   * to be alone.
   *
   * @param group the resident set and the GPUs that it is on
   * @param answers what is known of the candidate job
   * @param room what the candidate job needs on GPUs of the pool
   */
  @Nullable SharedGpu beside(
      ClusterState state,
      CandidateJob candidateJob,
      SharedGpus.Group group,
      Map<ResidentSet, SharedGpu> answers,
      Room room) {
    if (!room.isBeside(group.residentSet())) {
      return null;
    }
    @Nullable SharedGpu known = answers.get(group.residentSet());
    if (known == null) {
      known = make(state, candidateJob, group, room);
      answers.put(group.residentSet(), known);
      remembered++;
    }
    return known;
  }

  private SharedGpu make(
      ClusterState state, CandidateJob candidateJob, SharedGpus.Group group, Room room) {
    SharingMode mode = room.mode();
    return new SharedGpu(
        mode.predictedAs(room.model()),
        candidateJob.seen(mode, room.model()),
        residents(state, room.model(), mode, group),
        new Memory(room.memory() - group.residentSet().memory()));
  }

  private List<CoRunner> residents(
      ClusterState state, GpuModel model, SharingMode mode, SharedGpus.Group group) {
    @Nullable List<CoRunner> known = residents.get(group.residentSet());
    if (known == null) {
      known = residentsAnew(state, model, mode, state.index().gpu(group.gpus().first()));
      residents.put(group.residentSet(), known);
      remembered++;
    }
    return known;
  }

  private List<CoRunner> residentsAnew(
      ClusterState state, GpuModel model, SharingMode mode, GpuId gpu) {
    List<CoRunner> residents = new ArrayList<>();
    for (Resident resident : state.residents(gpu)) {
      JobSpec job = state.job(resident.job()).orElseThrow();
      residents.add(
          new CoRunner(job.sharing(), same.of(mode.seen(profile(job, model), resident.share()))));
    }
    return residents;
  }

  /** Returns what the candidate job needs on GPUs of a pool, which has a model. */
  Room room(ClusterState state, CandidateJob candidateJob, int pool) {
    GpuPool gpus = state.index().pools().get(pool);
    GpuModel model = gpus.model().orElseThrow();
    SharingMode mode = colocation.mode(model);
    ResourceRequest granted = candidateJob.granted(mode, model);
    long memory = gpus.memory().bytes() - granted.gpuMemory().orElse(Memory.ZERO).bytes();
    int share = 1000 - granted.share().orElse(GpuShare.WHOLE).thousandths();
    return new Room(model, mode, share, memory, mode.maxResidents() - 1);
  }

  /**
   * What a candidate job leaves to others on GPUs of a pool.
   *
   * @param model the model of the GPUs
   * @param mode how they are shared
   * @param share the compute, in thousandths
   * @param memory the device memory in bytes
   * @param residents how many others there may be
   */
  record Room(GpuModel model, SharingMode mode, int share, long memory, int residents) {

    /** Returns whether all these may be there, as far as room goes. */
    boolean isBeside(ResidentSet others) {
      return others.coRunnerKeys().size() <= residents
          && others.share() <= share
          && others.memory() <= memory
          && !others.isExclusive();
    }
  }
}
