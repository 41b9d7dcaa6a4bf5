package io.github.liquidscheduler.planner.colocation;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.ColocationMonitor;
import io.github.liquidscheduler.placement.colocation.ColocationPlacer;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.planner.problem.AdmissionWeight;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.planning.PlanRequest;
import java.util.List;
import java.util.Objects;

/**
 * Plans batches in which jobs share GPUs. Another planner says who starts where if each job is
 * alone on its GPUs. If it leaves jobs waiting, those of the batch that may share are paired by a
 * {@link CoRunnerMatcher}, GPU model by GPU model, so that the pairs do as much as possible; who
 * still waits then is placed beside others as in immediate mode, gangs too.
 *
 * <p>Nobody who would start alone waits because of it, except where immediate mode starts more: one
 * job after the other, in the order of the policy, where the placer puts it. No plan starts less
 * than that. Nobody comes beside another whom the rule of the {@link ColocationPlacer} would not
 * bring there: the floors, the bans and the memory are its own. GPUs that are shared by another
 * {@linkplain SharingMode mode} than time slicing are left to that rule alone, since pairs are
 * predicted by the plain name of the model.
 *
 * <p>The certificate is that of the other planner, about the jobs alone on their GPUs.
 *
 * <p>Not thread-safe, as predictors are not: to plan on a thread of its own it needs a placer and a
 * predictor of its own. A {@link ColocationMonitor} over that placer brings them up to date if it
 * is {@linkplain ColocationMonitor#restore restored} from the snapshot that is planned for.
 */
public final class ColocationPlanner implements BatchPlanner {

  private final BatchPlanner alone;
  private final ColocationPlacer placer;
  private final CoRunnerMatcher pairs;

  private ColocationPlanner(BatchPlanner alone, ColocationPlacer placer, CoRunnerMatcher pairs) {
    this.alone = Objects.requireNonNull(alone, "alone");
    this.placer = Objects.requireNonNull(placer, "placer");
    this.pairs = Objects.requireNonNull(pairs, "pairs");
  }

  /**
   * Returns a planner.
   *
   * @param alone who plans the jobs alone on their GPUs
   * @param placer who says what is allowed, and places who is left
   * @param pairs who pairs jobs, best by the predictor and the profiles of the placer
   */
  public static ColocationPlanner of(
      BatchPlanner alone, ColocationPlacer placer, CoRunnerMatcher pairs) {
    return new ColocationPlanner(alone, placer, pairs);
  }

  @Override
  public BatchPlan plan(PlanRequest request) {
    BatchPlan plan = alone.plan(withWholeGpus(request));
    SharedPlanBuilder starts = new SharedPlanBuilder(request, plan, placer);
    if (starts.areSomeLeft()) {
      starts.placeRest(request.deferrable());
      starts.makeRoom(pairs);
      starts.placeRest(request.deferrable());
    }
    if (starts.areSomeLeft()) {
      SharedPlanBuilder immediate = new SharedPlanBuilder(request, placer);
      immediate.placeRest(request.deferrable());
      AdmissionWeight weight = AdmissionWeight.of(request.pending(), request.deferrable());
      if (weight.of(immediate.jobs()) > weight.of(starts.jobs())) {
        return plan(request, immediate, List.of(), plan.certificate());
      }
    }
    return plan(request, starts, plan.migrations(), plan.certificate());
  }

  private static BatchPlan plan(
      PlanRequest request,
      SharedPlanBuilder starts,
      List<Migration> migrations,
      PlanCertificate certificate) {
    List<JobId> postponed =
        request.pending().stream().map(JobSpec::id).filter(job -> !starts.has(job)).toList();
    return new BatchPlan(request.id(), starts.inOrder(), migrations, postponed, certificate);
  }

  /** Returns the request with whole GPUs instead of shares, as the placer places jobs alone. */
  private PlanRequest withWholeGpus(PlanRequest request) {
    ClusterState state = ClusterState.of(request.view());
    PlanRequest.Builder whole =
        PlanRequest.builder(request.view()).id(request.id()).options(request.options());
    request.pending().forEach(job -> whole.pending(placer.alone(state, job)));
    request.previous().ifPresent(whole::previous);
    for (JobId job : request.view().runningJobs()) {
      request.running(job).ifPresent(whole::running);
    }
    request
        .migrationCosts()
        .forEach((job, cost) -> whole.movable(request.running(job).orElseThrow(), cost));
    return whole.build();
  }
}
