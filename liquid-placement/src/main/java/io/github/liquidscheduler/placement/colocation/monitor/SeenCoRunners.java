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
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
  private final Map<Seen, CoRunner> known = new HashMap<>();
  private final IdentityHashMap<CoRunner, IdentityHashMap<CoRunner, SharedGpu>> pairs =
      new IdentityHashMap<>();
  private int beside;

  private record Seen(CoRunnerKey key, GpuModel gpu) {}

  /** Makes the memory for jobs that share in this way. */
  public SeenCoRunners(Colocation colocation) {
    this.colocation = colocation;
  }

  CoRunner of(JobSpec job, GpuModel gpu) {
    if (known.size() > MOST) {
      known.clear();
      forgetPairs();
    }
    return known.computeIfAbsent(new Seen(CandidateJob.keyOf(job), gpu), any -> anew(job, gpu));
  }

  /**
   * Returns one as a candidate beside another, on a GPU of a model; both are of this memory, seen
   * on that model.
   */
  SharedGpu beside(CoRunner waiting, CoRunner resident, GpuModel gpu) {
    if (beside > MOST_PAIRS) {
      forgetPairs();
    }
    IdentityHashMap<CoRunner, SharedGpu> ofWaiting =
        pairs.computeIfAbsent(waiting, any -> new IdentityHashMap<>());
    @Nullable SharedGpu same = ofWaiting.get(resident);
    if (same == null) {
      GpuModel predicted = colocation.mode(gpu).predictedAs(gpu);
      same = new SharedGpu(predicted, waiting, List.of(resident), Memory.ZERO);
      ofWaiting.put(resident, same);
      beside++;
    }
    return same;
  }

  private void forgetPairs() {
    pairs.clear();
    beside = 0;
  }

  private CoRunner anew(JobSpec job, GpuModel gpu) {
    SharingMode mode = colocation.mode(gpu);
    GpuShare asked = job.roles().getFirst().request().share().orElse(GpuShare.WHOLE);
    return new CoRunner(
        job.sharing(), profiles.of(mode.seen(colocation.profile(job, gpu), mode.granted(asked))));
  }
}
