package io.github.liquidscheduler.placement.colocation.monitor;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.CoRunnerKey;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.placement.capacity.SharedGpus;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy.CandidateScores;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.placement.colocation.SharedGpu.CoRunner;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.placement.colocation.search.CandidateJob;
import io.github.liquidscheduler.placement.colocation.search.SameProfiles;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jobs as policies see them on a GPU model, with their granted share. Equal jobs are one object, so
 * that predictors that remember answers by identity reuse them from report to report. A cache. Not
 * thread-safe.
 */
public final class SeenCoRunners {

  private static final int MOST = 16_384;
  private static final int MOST_PAIRS = 65_536;

  private final Colocation colocation;
  private final SameProfiles profiles = new SameProfiles();
  // None of these is ever iterated.
  private final Map<Seen, Numbered> known = new HashMap<>();
  private final Map<GpuModel, Map<CoRunnerKind, Stand<SharedGpus.Group>>> residents =
      new HashMap<>();
  private final Map<GpuModel, Map<CoRunnerKind, Stand<JobSpec>>> waiting = new HashMap<>();
  private final CandidateScores scores = new CandidateScores(0);
  private int pairs;

  private record Seen(CoRunnerKey key, GpuModel gpu) {}

  /** The job that stands for a kind while its group or first job is the same. */
  private record Stand<T>(T by, Numbered job) {}

  /** A job as policies see it, with a unique number, and as a candidate beside others. */
  static final class Numbered {
    private final CoRunner coRunner;
    private final int number;
    // By the numbers of the others.
    private @Nullable SharedGpu[] beside = {};

    private Numbered(CoRunner coRunner, int number) {
      this.coRunner = coRunner;
      this.number = number;
    }
  }

  /** Makes an empty cache for a configuration. */
  public SeenCoRunners(Colocation colocation) {
    this.colocation = colocation;
  }

  /** Returns a job as policies see it on a GPU model. */
  Numbered of(JobSpec job, GpuModel gpu) {
    return known.computeIfAbsent(
        new Seen(CandidateJob.keyOf(job), gpu),
        any -> new Numbered(compute(job, gpu), known.size()));
  }

  /** Returns the first job of a waiting kind, as policies see it on a GPU model. */
  @SuppressWarnings("ReferenceEquality") // An equal one is looked up again.
  Numbered waiting(CoRunnerKind kind, JobSpec first, GpuModel gpu) {
    Map<CoRunnerKind, Stand<JobSpec>> ofModel =
        waiting.computeIfAbsent(gpu, any -> new HashMap<>());
    @Nullable Stand<JobSpec> known = ofModel.get(kind);
    if (known == null || known.by() != first) {
      known = new Stand<>(first, of(first, gpu));
      ofModel.put(kind, known);
    }
    return known.job();
  }

  /** Returns a job of a running kind, as policies see it: all of a kind in a group are alike. */
  Numbered resident(SharedGpus.KindOnModel kind, ClusterState cluster) {
    Map<CoRunnerKind, Stand<SharedGpus.Group>> ofModel =
        residents.computeIfAbsent(kind.model(), any -> new HashMap<>());
    @Nullable Stand<SharedGpus.Group> known = ofModel.get(kind.kind());
    if (known == null || known.by() != kind.first()) {
      known = new Stand<>(kind.first(), of(jobOf(kind, cluster), kind.model()));
      ofModel.put(kind.kind(), known);
    }
    return known.job();
  }

  private static JobSpec jobOf(SharedGpus.KindOnModel kind, ClusterState cluster) {
    GpuId gpu = cluster.index().gpu(kind.first().gpus().first());
    for (Resident resident : cluster.residents(gpu)) {
      JobSpec job = cluster.job(resident.job()).orElseThrow();
      if (CoRunnerKind.of(job).equals(kind.kind())) {
        return job;
      }
    }
    throw new IllegalStateException("no job of " + kind.kind() + " is where it should be");
  }

  /**
   * Returns one job as a candidate beside another, on a GPU of the model on which both are seen.
   */
  SharedGpu beside(Numbered waiting, Numbered resident, GpuModel gpu) {
    if (waiting.beside.length <= resident.number) {
      waiting.beside = Arrays.copyOf(waiting.beside, Math.max(known.size(), resident.number + 1));
    }
    @Nullable SharedGpu candidate = waiting.beside[resident.number];
    if (candidate == null) {
      candidate = candidate(waiting, resident, gpu);
      waiting.beside[resident.number] = candidate;
      pairs++;
    }
    return candidate;
  }

  /** Returns the reused scores. */
  CandidateScores scores() {
    return scores;
  }

  /** Clears the cache if it has grown too large, between two questions. */
  void trim() {
    if (pairs > MOST_PAIRS || known.size() > MOST) {
      known.clear();
      residents.clear();
      waiting.clear();
      pairs = 0;
    }
  }

  private SharedGpu candidate(Numbered waiting, Numbered resident, GpuModel gpu) {
    return new SharedGpu(
        colocation.mode(gpu).predictedAs(gpu),
        waiting.coRunner,
        List.of(resident.coRunner),
        Memory.ZERO);
  }

  private CoRunner compute(JobSpec job, GpuModel gpu) {
    SharingMode mode = colocation.mode(gpu);
    GpuShare asked = job.roles().getFirst().request().share().orElse(GpuShare.WHOLE);
    return new CoRunner(
        job.sharing(), profiles.of(mode.seen(colocation.profile(job, gpu), mode.granted(asked))));
  }
}
