package io.github.liquidscheduler.planner.colocation;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.colocation.search.CandidateJob;
import io.github.liquidscheduler.placement.colocation.search.ColocationPlacer;
import io.github.liquidscheduler.planner.plan.BatchStarts;
import io.github.liquidscheduler.planner.problem.AdmissionWeight;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The starts of a plan while jobs come together on GPUs. */
final class SharedPlanBuilder {

  private final ColocationPlacer placer;
  private final Set<JobId> deferrable;
  private final BatchStarts starts;

  /** Starts nobody yet. */
  SharedPlanBuilder(PlanRequest request, ColocationPlacer placer) {
    this.placer = placer;
    deferrable = request.deferrable();
    starts = new BatchStarts(request);
  }

  /** Starts the jobs that the plan starts alone, those that may share on a share of their GPUs. */
  SharedPlanBuilder(PlanRequest request, BatchPlan plan, ColocationPlacer placer) {
    this(request, placer);
    for (Migration migration : plan.migrations()) {
      starts.move(request.running(migration.job()).orElseThrow(), migration.to());
    }
    for (Placement start : plan.starts()) {
      JobSpec job = starts.job(start.job());
      boolean shares = CandidateJob.mayShare(job);
      starts.start(job, shares ? placer.shared(starts.state(), job, start) : start);
    }
  }

  /** Returns the starts. */
  BatchStarts starts() {
    return starts;
  }

  /** Returns the weight of the jobs that start. */
  long weight() {
    return new AdmissionWeight(starts.pending(), deferrable).of(starts.placements().keySet());
  }

  /** Returns true if a job waits. */
  boolean areSomeLeft() {
    return !starts.postponed().isEmpty();
  }

  /**
   * Places who is left as in immediate mode, in the order of the policy, and then brings the jobs
   * of one task to other co-runners, or others in the place of deferrable ones, where that costs
   * less in all.
   */
  void placeRest() {
    Set<JobId> before = starts.placements().keySet();
    starts.startRest(placer);
    Map<JobId, Placement> inTurn = starts.placements();
    long weight = weight();
    inTurn.keySet().stream()
        .filter(job -> !before.contains(job) && hasCoRunners(job))
        .toList()
        .forEach(starts::stop);
    assign(inTurn.keySet());
    starts.startRest(placer);
    if (weight > weight()) {
      starts.placements().keySet().forEach(starts::stop);
      inTurn.forEach((job, place) -> starts.start(starts.job(job), place));
    }
  }

  /** Brings jobs that start alone together where others can use the GPUs that fall free by it. */
  void pair(CoRunnerMatcher matcher) {
    new CoRunnerPairing(starts, placer).pair(matcher);
  }

  private boolean hasCoRunners(JobId job) {
    return gpu(starts, starts.job(job))
        .filter(gpu -> starts.state().residents(gpu).size() > 1)
        .isPresent();
  }

  /** Assigns the jobs that start in turn, or some others instead of the deferrable ones. */
  private void assign(Set<JobId> inTurn) {
    List<JobSpec> seekers =
        starts.postponed().stream()
            .map(starts::job)
            .filter(job -> job.tasks() == 1 && CandidateJob.mayShare(job))
            .filter(job -> inTurn.contains(job.id()) || !deferrable.isEmpty())
            .toList();
    ColocationAssignment assignment =
        new ColocationAssignment(
            starts.state(),
            placer,
            job -> !inTurn.contains(job.id()) || deferrable.contains(job.id()));
    for (Placement place : assignment.of(seekers)) {
      if (starts.state().fits(place)) {
        starts.start(starts.job(place.job()), place);
      }
    }
  }

  /** Returns the GPU of a job of one task that starts and may share. */
  static Optional<GpuId> gpu(BatchStarts starts, JobSpec job) {
    return starts
        .placement(job.id())
        .filter(start -> start.tasks().size() == 1 && CandidateJob.mayShare(job))
        .map(start -> start.tasks().get(0))
        .map(task -> new GpuId(task.node(), task.gpus().get(0)));
  }
}
