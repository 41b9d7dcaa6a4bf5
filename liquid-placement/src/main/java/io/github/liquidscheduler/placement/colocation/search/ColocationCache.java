package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.CoRunnerKey;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.capacity.ResidentSet;
import io.github.liquidscheduler.placement.capacity.SharedGpus;
import io.github.liquidscheduler.placement.colocation.CoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
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
  // None of these is ever iterated.
  private final Map<CoRunnerKey, Map<GpuModel, ColocationProfile>> profiles = new HashMap<>();
  private final Map<CoRunnerKey, Map<ResidentSet, Answer>> candidates = new HashMap<>();
  private final Map<ResidentSet, List<CoRunner>> residents = new HashMap<>();
  private @Nullable ClusterTopology topology;
  private int remembered;

  ColocationCache(Colocation colocation) {
    this.colocation = colocation;
  }

  /** Returns the job as a candidate. */
  public CandidateJob candidateJob(JobSpec job) {
    return new CandidateJob(job, gpu -> profile(job, gpu));
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
  Map<ResidentSet, Answer> answers(ClusterState state, CandidateJob candidateJob) {
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
   */
  @Nullable SharedGpu beside(
      ClusterState state,
      CandidateJob candidateJob,
      SharedGpus.Group group,
      Map<ResidentSet, Answer> answers) {
    @Nullable Answer known = answers.get(group.residentSet());
    if (known == null) {
      known = new Answer(make(state, candidateJob, group));
      answers.put(group.residentSet(), known);
      remembered++;
    }
    return known.candidate();
  }

  private @Nullable SharedGpu make(
      ClusterState state, CandidateJob candidateJob, SharedGpus.Group group) {
    ResidentSet residentSet = group.residentSet();
    GpuPool pool = state.index().pools().get(residentSet.pool());
    GpuModel model = pool.model().orElseThrow();
    SharingMode mode = colocation.mode(model);
    ResourceRequest granted = candidateJob.granted(mode, model);
    long memory = pool.memory().bytes() - granted.gpuMemory().orElse(Memory.ZERO).bytes();
    GpuShare share = granted.share().orElse(GpuShare.WHOLE);
    int compute = 1000 - share.thousandths();
    for (CoRunnerKey coRunnerKey : residentSet.coRunnerKeys()) {
      memory -= coRunnerKey.memory().bytes();
      compute -= coRunnerKey.share().thousandths();
      if (coRunnerKey.sharing() instanceof Sharing.Exclusive) {
        return null;
      }
    }
    return memory < 0 || compute < 0 || residentSet.coRunnerKeys().size() >= mode.maxResidents()
        ? null
        : new SharedGpu(
            mode.predictedAs(model),
            new CoRunner(candidateJob.job().sharing(), candidateJob.seen(mode, model)),
            residents(state, model, mode, group),
            new Memory(memory));
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
      residents.add(new CoRunner(job.sharing(), mode.seen(profile(job, model), resident.share())));
    }
    return residents;
  }

  /** A candidate, or that there is none. */
  record Answer(@Nullable SharedGpu candidate) {}
}
