package io.github.liquidscheduler.planner.colocation;

import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.placement.colocation.search.ColocationPlacer;
import io.github.liquidscheduler.placement.colocation.search.ColocationSearch;
import io.github.liquidscheduler.planner.plan.BatchStarts;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Brings jobs together that would each have a GPU to themselves, while some job can use a GPU freed
 * by it.
 */
final class CoRunnerPairing {

  private final BatchStarts starts;
  private final ColocationPlacer placer;
  private final ClusterState state;

  CoRunnerPairing(BatchStarts starts, ColocationPlacer placer) {
    this.starts = starts;
    this.placer = placer;
    state = starts.state();
  }

  /** Pairs the jobs of each GPU model as the matcher says, the pair with the largest gain first. */
  void pair(CoRunnerMatcher matcher) {
    List<Gpu> kinds =
        starts.pending().stream().flatMap(job -> kind(job).stream()).distinct().toList();
    for (Gpu gpu : kinds) {
      if (areSomeLeft() && isTimeSliced(gpu)) {
        List<JobSpec> jobs =
            starts.pending().stream()
                .filter(job -> isAlone(job) && kind(job).filter(gpu::equals).isPresent())
                .toList();
        pair(
            matcher.plan(jobs, gpu, state.observations()).pairs().stream()
                .sorted(Comparator.comparingDouble(CoRunnerMatching.Pair::gain).reversed())
                .toList());
      }
    }
  }

  private void pair(List<CoRunnerMatching.Pair> pairs) {
    for (CoRunnerMatching.Pair pair : pairs) {
      JobSpec one = starts.job(pair.one());
      JobSpec other = starts.job(pair.other());
      if (areSomeLeft() && isAlone(one) && isAlone(other) && !pair(one, other)) {
        return;
      }
    }
  }

  /** Brings the second beside the first; returns false if nobody can use its GPU. */
  private boolean pair(JobSpec one, JobSpec other) {
    Placement left = starts.placement(other.id()).orElseThrow();
    Optional<Placement> beside = beside(other, one);
    if (beside.isEmpty()) {
      return true;
    }
    starts.stop(other.id());
    starts.start(other, beside.get());
    if (!startNext()) {
      starts.stop(other.id());
      starts.start(other, left);
      return false;
    }
    return true;
  }

  private boolean areSomeLeft() {
    return !starts.postponed().isEmpty();
  }

  /** Starts the first job that waits and has a place now. */
  private boolean startNext() {
    for (JobId waiting : starts.postponed()) {
      JobSpec job = starts.job(waiting);
      Optional<Placement> place = placer.place(state, job);
      if (place.isPresent()) {
        starts.start(job, place.get());
        return true;
      }
    }
    return false;
  }

  /** Returns the place of a job beside another, if that is allowed. */
  private Optional<Placement> beside(JobSpec candidateJob, JobSpec resident) {
    GpuId gpu = gpu(resident).orElseThrow();
    return new ColocationSearch(state, candidateJob, placer).findOn(gpu);
  }

  private Optional<Gpu> kind(JobSpec job) {
    return gpu(job).map(state.topology()::gpu).map(gpu -> Gpu.of(gpu.model(), gpu.memory()));
  }

  private boolean isTimeSliced(Gpu gpu) {
    return placer.colocation().mode(gpu.model()) instanceof SharingMode.TimeSlicing slicing
        && slicing.maxResidents() > 1;
  }

  private boolean isAlone(JobSpec job) {
    return gpu(job).filter(gpu -> state.residents(gpu).size() == 1).isPresent();
  }

  private Optional<GpuId> gpu(JobSpec job) {
    return SharedPlanBuilder.gpu(starts, job);
  }
}
