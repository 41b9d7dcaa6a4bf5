package io.github.liquidscheduler.planner.colocation;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.placement.colocation.search.ColocationPlacer;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanRequest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Plans batches in which jobs share GPUs. Another planner says who starts where if each job is
 * alone on its GPUs. If it leaves jobs waiting, those of the batch that may share are paired by a
 * {@link CoRunnerMatcher}, GPU model by GPU model, so that the pairs achieve as much as possible;
 * who still waits then is placed beside others as in immediate mode, gangs too.
 *
 * <p>Nobody who would start alone waits because of it, except where immediate mode starts more: one
 * job after the other, in the order of the policy. No plan starts less than that. No job comes
 * beside others where the {@link Colocation} does not admit it: floors, bans and memory are its
 * own. GPUs that are shared by another {@linkplain SharingMode mode} than time slicing are left to
 * its policy alone, since pairs are predicted by the plain name of the model.
 *
 * <p>The certificate is that of the other planner, about the jobs alone on their GPUs.
 *
 * <p>What was observed is read from the request's view, so that plans may be made on any thread;
 * one planner makes one after the other.
 */
public final class ColocationPlanner implements BatchPlanner {

  private final BatchPlanner alone;
  private final ColocationPlacer placer;
  private final Optional<CoRunnerMatcher> matcher;

  private ColocationPlanner(BatchPlanner alone, Colocation colocation) {
    this.alone = Objects.requireNonNull(alone, "alone");
    placer = new ColocationPlacer(colocation);
    matcher =
        colocation
            .predictor()
            .map(each -> CoRunnerMatcher.matching(each).withProfiles(colocation::profile));
  }

  /**
   * Returns a planner.
   *
   * @param alone who plans the jobs alone on their GPUs
   * @param colocation how jobs share GPUs, the same as in the scheduler
   */
  public static ColocationPlanner of(BatchPlanner alone, Colocation colocation) {
    return new ColocationPlanner(alone, colocation);
  }

  @Override
  public synchronized BatchPlan plan(PlanRequest request) {
    BatchPlan plan = alone.plan(withWholeGpus(request));
    SharedPlanBuilder shared = new SharedPlanBuilder(request, plan, placer);
    if (shared.areSomeLeft()) {
      shared.placeRest();
      matcher.ifPresent(shared::pair);
      shared.placeRest();
    }
    List<Migration> migrations = plan.migrations();
    if (shared.areSomeLeft()) {
      SharedPlanBuilder immediate = new SharedPlanBuilder(request, placer);
      immediate.placeRest();
      if (immediate.weight() > shared.weight()) {
        shared = immediate;
        migrations = List.of();
      }
    }
    return new BatchPlan(
        request.number(),
        shared.starts().inOrder(),
        migrations,
        shared.starts().postponed(),
        plan.certificate());
  }

  /** Returns the request with whole GPUs instead of shares, as the placer places jobs alone. */
  private PlanRequest withWholeGpus(PlanRequest request) {
    ClusterState state = ClusterState.of(request.view());
    PlanRequest.Builder whole =
        PlanRequest.builder(request.view()).number(request.number()).options(request.options());
    request
        .pending()
        .forEach(
            job ->
                whole
                    .pending(placer.alone(state, job))
                    .gpuSpeeds(job.id(), request.gpuSpeeds(job.id())));
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
