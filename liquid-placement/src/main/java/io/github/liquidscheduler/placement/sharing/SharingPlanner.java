package io.github.liquidscheduler.placement.sharing;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.batch.BatchPlanner;
import io.github.liquidscheduler.placement.batch.PlanRequest;
import io.github.liquidscheduler.placement.batch.Worth;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.BatchPlan;
import io.github.liquidscheduler.scheduling.Migration;
import io.github.liquidscheduler.scheduling.PlanCertificate;
import java.util.List;
import java.util.Objects;

/**
 * Plans batches in which jobs share GPUs. Another planner says who starts where if each job is
 * alone on its GPUs. If it leaves jobs waiting, those of the batch that may share are paired by a
 * {@link PairPlanner}, GPU model by GPU model, so that the pairs do as much as possible; who still
 * waits then is placed beside others as in immediate mode, gangs too.
 *
 * <p>Nobody who would start alone waits because of it, except where immediate mode starts more: one
 * job after the other, in the order of the policy, where the placer puts it. No plan starts less
 * than that. Nobody comes beside another whom the rule of the {@link SharingPlacer} would not bring
 * there: the floors, the separations and the memory are its own. GPUs that are shared by another
 * {@linkplain SharingMode mode} than time slicing are left to that rule alone, since pairs are
 * predicted by the plain name of the model.
 *
 * <p>The certificate is that of the other planner, about the jobs alone on their GPUs.
 *
 * <p>Not thread-safe, as predictors are not: to plan on a thread of its own it needs a placer and a
 * predictor of its own. A {@link ColocationWatch} over that placer brings them up to date if it is
 * {@linkplain ColocationWatch#restore restored} from the snapshot that is planned for.
 */
public final class SharingPlanner implements BatchPlanner {

  private final BatchPlanner alone;
  private final SharingPlacer placer;
  private final PairPlanner pairs;

  private SharingPlanner(BatchPlanner alone, SharingPlacer placer, PairPlanner pairs) {
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
  public static SharingPlanner of(BatchPlanner alone, SharingPlacer placer, PairPlanner pairs) {
    return new SharingPlanner(alone, placer, pairs);
  }

  @Override
  public BatchPlan plan(PlanRequest request) {
    BatchPlan plan = alone.plan(withWholeGpus(request));
    SharedStarts starts = new SharedStarts(request, plan, placer);
    if (starts.areSomeLeft()) {
      starts.placeRest(request.patient());
      starts.makeRoom(pairs);
      starts.placeRest(request.patient());
    }
    if (starts.areSomeLeft()) {
      SharedStarts immediate = new SharedStarts(request, placer);
      immediate.placeRest(request.patient());
      Worth worth = Worth.of(request.pending(), request.patient());
      if (worth.of(immediate.jobs()) > worth.of(starts.jobs())) {
        return plan(request, immediate, List.of(), plan.certificate());
      }
    }
    return plan(request, starts, plan.migrations(), plan.certificate());
  }

  private static BatchPlan plan(
      PlanRequest request,
      SharedStarts starts,
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
