package io.github.liquidscheduler.placement.colocation.monitor;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CoRunnerKey;
import io.github.liquidscheduler.placement.colocation.CoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SameProfiles;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.placement.colocation.search.CandidateJob;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Jobs as policies see them on a GPU model, with the share that each is granted. Jobs that are the
 * same to others are the same object, so that predictors that know a profile by its identity
 * remember what they said of it from one report to the next. What is forgotten is made anew. Not
 * thread-safe.
 */
public final class SeenCoRunners {

  private static final int MOST = 16_384;
  private static final int MOST_PAIRS = 65_536;

  private final Colocation colocation;
  private final SameProfiles profiles = new SameProfiles();
  // Never iterated.
  private final Map<Seen, Numbered> known = new HashMap<>();
  private final Map<Long, SharedGpu> pairs = new HashMap<>();
  private int numbers;

  private record Seen(CoRunnerKey key, GpuModel gpu) {}

  /** A job as policies see it, by a number that no other has. */
  record Numbered(CoRunner coRunner, int number) {}

  /** Makes the memory for jobs that share in this way. */
  public SeenCoRunners(Colocation colocation) {
    this.colocation = colocation;
  }

  Numbered of(JobSpec job, GpuModel gpu) {
    if (known.size() > MOST) {
      known.clear();
      pairs.clear();
    }
    return known.computeIfAbsent(
        new Seen(CandidateJob.keyOf(job), gpu), any -> new Numbered(anew(job, gpu), numbers++));
  }

  /**
   * Returns one as a candidate beside another, on a GPU of a model; both are of this memory, seen
   * on that model.
   */
  SharedGpu beside(Numbered waiting, Numbered resident, GpuModel gpu) {
    if (pairs.size() > MOST_PAIRS) {
      pairs.clear();
    }
    long pair = (long) waiting.number() << Integer.SIZE | Integer.toUnsignedLong(resident.number());
    return pairs.computeIfAbsent(pair, any -> candidate(waiting, resident, gpu));
  }

  private SharedGpu candidate(Numbered waiting, Numbered resident, GpuModel gpu) {
    return new SharedGpu(
        colocation.mode(gpu).predictedAs(gpu),
        waiting.coRunner(),
        List.of(resident.coRunner()),
        Memory.ZERO);
  }

  private CoRunner anew(JobSpec job, GpuModel gpu) {
    SharingMode mode = colocation.mode(gpu);
    GpuShare asked = job.roles().getFirst().request().share().orElse(GpuShare.WHOLE);
    return new CoRunner(
        job.sharing(), profiles.of(mode.seen(colocation.profile(job, gpu), mode.granted(asked))));
  }
}
