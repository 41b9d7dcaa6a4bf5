package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.CoRunnerKey;
import io.github.liquidscheduler.placement.colocation.SharedGpu.CoRunner;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A job for which co-runners are searched. */
public final class CandidateJob {

  private final JobSpec job;
  private final TaskRole role;
  private final CoRunnerKey key;
  private final Function<GpuModel, ColocationProfile> profiles;
  private final SameProfiles same;
  private @Nullable OnModel last;

  /** The job on a GPU model, the same for all its GPUs. */
  private record OnModel(
      GpuModel gpu, CoRunner coRunner, SharingMode mode, ResourceRequest granted) {}

  CandidateJob(JobSpec job, Function<GpuModel, ColocationProfile> profiles, SameProfiles same) {
    this.job = job;
    this.same = same;
    this.profiles = profiles;
    role = job.roles().get(0);
    key = keyOf(job);
  }

  /** Returns true if the job may share GPUs at all. */
  public static boolean mayShare(JobSpec job) {
    return !(job.sharing() instanceof Sharing.Exclusive)
        && job.synchronization() instanceof Synchronization.Gang
        && !job.parallelism().isElastic()
        && job.roles().size() == 1
        && job.roles().get(0).request().gpus() == 1
        && job.topologyParts().isEmpty()
        && job.topology().slices().isEmpty()
        && job.topology().spread().isEmpty();
  }

  /** Returns the key that jobs with equal effect on co-runners share. */
  public static CoRunnerKey keyOf(JobSpec job) {
    ResourceRequest request = job.roles().get(0).request();
    return new CoRunnerKey(
        job.workload(),
        job.sharing(),
        request.share().orElse(GpuShare.WHOLE),
        request.gpuMemory().orElse(Memory.ZERO));
  }

  JobSpec job() {
    return job;
  }

  CoRunnerKey key() {
    return key;
  }

  int tasks() {
    return role.count();
  }

  long cpu() {
    return role.request().cpu().orElse(CpuCores.ZERO).millicores();
  }

  long memory() {
    return role.request().memory().orElse(Memory.ZERO).bytes();
  }

  ColocationProfile profile(GpuModel gpu) {
    return profiles.apply(gpu);
  }

  boolean allows(GpuModel gpu) {
    return job.gpuModels().isEmpty() || job.gpuModels().contains(gpu);
  }

  /** Returns the request granted to each task on a GPU. */
  ResourceRequest granted(SharingMode mode, GpuModel gpu) {
    return on(mode, gpu).granted();
  }

  /** Returns the job as predictors see it with its granted share. */
  CoRunner seen(SharingMode mode, GpuModel gpu) {
    return on(mode, gpu).coRunner();
  }

  private OnModel on(SharingMode mode, GpuModel gpu) {
    @Nullable OnModel known = last;
    if (known == null || !known.gpu.equals(gpu) || !known.mode.equals(mode)) {
      ResourceRequest granted = computeGranted(mode, gpu);
      GpuShare share = granted.share().orElse(GpuShare.WHOLE);
      CoRunner coRunner = new CoRunner(job.sharing(), same.of(mode.seen(profile(gpu), share)));
      known = new OnModel(gpu, coRunner, mode, granted);
      last = known;
    }
    return known;
  }

  private ResourceRequest computeGranted(SharingMode mode, GpuModel gpu) {
    ResourceRequest asked = role.request();
    ResourceRequest.Builder granted =
        asked.toBuilder().share(mode.granted(asked.share().orElse(GpuShare.WHOLE)));
    double known = profile(gpu).memoryBytes();
    if (asked.gpuMemory().isEmpty() && known > 0) {
      granted.gpuMemory(Memory.ofBytes((long) Math.ceil(known)));
    }
    return granted.build();
  }

  /** Returns true if a task holds at least its granted request. */
  boolean isGranted(TaskPlacement task, SharingMode mode, GpuModel gpu) {
    ResourceRequest granted = granted(mode, gpu);
    return task.share().compareTo(granted.share().orElse(GpuShare.WHOLE)) >= 0
        && task.request()
                .gpuMemory()
                .orElse(Memory.ZERO)
                .compareTo(granted.gpuMemory().orElse(Memory.ZERO))
            >= 0;
  }

  /** Returns the placement of a task on the GPU at a position in the cluster. */
  TaskPlacement task(int number, CapacityIndex index, int position, SharingMode mode) {
    GpuId gpu = index.gpu(position);
    return new TaskPlacement(
        new TaskId(role.name(), number),
        gpu.node(),
        List.of(gpu.index()),
        granted(mode, index.topology().gpu(gpu).model()));
  }
}
