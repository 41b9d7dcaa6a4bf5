package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduling.ForwardingPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A placer for one job that respects the quotas of its queue: the largest admitted size, up to the
 * preferred one.
 *
 * @param placer the wrapped placer
 * @param entry the job
 * @param admission the quota check
 * @param isLive whether, while the placer is used, only the capacity of nodes changes and not the
 *     quotas
 * @param isByModel whether the charge depends on the GPU models, so that others may be admitted
 */
public record QuotaPlacer(
    Placer placer,
    JobEntry entry,
    Predicate<Placement> admission,
    boolean isLive,
    boolean isByModel)
    implements ForwardingPlacer {

  /** Returns a placer for the job; the given one without a queue tree. */
  public static Placer of(Placer placer, Quotas quotas, JobEntry job) {
    return within(
        placer, quotas, job, true, placement -> quotas.admission().admits(job, placement));
  }

  /** Returns a placer for a running job that moves; the given one without a queue tree. */
  public static Placer moving(Placer placer, Quotas quotas, JobEntry job) {
    return moving(placer, quotas, job, HypotheticalUsage.toAdmit());
  }

  /**
   * Returns a placer for a running job that moves while others do.
   *
   * @param use the usage with those that have moved; live
   */
  static Placer moving(Placer placer, Quotas quotas, JobEntry job, HypotheticalUsage use) {
    return within(
        placer,
        quotas,
        job,
        false,
        placement -> quotas.admission().admitsMove(job, placement, use));
  }

  /** Returns a placer for a job under a quota check; the given one without a queue tree. */
  static Placer within(
      Placer placer, Quotas quotas, JobEntry job, boolean isLive, Predicate<Placement> admission) {
    return quotas.hasQueueTree()
        ? new QuotaPlacer(placer, job, admission, isLive, quotas.admission().dependsOnModels(job))
        : placer;
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    Optional<Placement> found = placer.place(view, job);
    if (found.isEmpty() || admission.test(found.get())) {
      return found;
    }
    Optional<Placement> smaller =
        job.parallelism().isElastic()
            ? LargestSize.belowPreferred(job, sized -> admitted(view, sized))
            : Optional.empty();
    return smaller.isPresent() || !isByModel ? smaller : onOtherModels(view, job, found.get());
  }

  /**
   * Places the job without one of the GPU models whose quota the found placement exceeds. Each
   * recursion allows one model fewer; a placement on a model excluded before ends it.
   */
  private Optional<Placement> onOtherModels(ClusterView view, JobSpec job, Placement tooMuch) {
    List<GpuModel> models =
        tooMuch.gpuIds().map(gpu -> view.topology().gpu(gpu).model()).distinct().toList();
    for (GpuModel model : models) {
      List<GpuModel> others =
          new ArrayList<>(
              job.gpuModels().isEmpty() ? view.topology().gpusByModel().keySet() : job.gpuModels());
      boolean isAllowed = others.remove(model);
      Optional<Placement> found =
          isAllowed && !others.isEmpty()
              ? place(view, job.toBuilder().gpuModels(others).build())
              : Optional.empty();
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<Placement> admitted(ClusterView view, JobSpec job) {
    return placer.place(view, job).filter(admission);
  }

  @Override
  public boolean allows(ClusterView view, JobSpec job, Placement placement) {
    return placer.allows(view, job, placement) && admission.test(placement);
  }

  @Override
  public boolean isCapacityBound() {
    return isLive && placer.isCapacityBound();
  }
}
