package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduling.ForwardingPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
    Placer placer, JobEntry entry, Admission admission, boolean isLive, boolean isByModel)
    implements ForwardingPlacer {

  /** The check of a placement against the quotas. */
  @FunctionalInterface
  interface Admission {
    boolean admits(Placement placement, ClusterTopology topology);
  }

  /** Returns a placer for the job; the given one without a queue tree. */
  public static Placer of(Placer placer, Quotas quotas, JobEntry job) {
    return quotas.hasQueueTree()
        ? new QuotaPlacer(
            placer,
            job,
            (placement, topology) -> quotas.admits(job, placement, topology),
            true,
            quotas.dependsOnModels(job))
        : placer;
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
    return quotas.hasQueueTree()
        ? new QuotaPlacer(
            placer,
            job,
            (placement, topology) -> quotas.admitsMove(job, placement, topology, use),
            false,
            quotas.dependsOnModels(job))
        : placer;
  }

  /** Returns a placer under which the queue stays within its share. */
  static Placer inShare(Placer placer, Quotas quotas, JobEntry job) {
    return new QuotaPlacer(
        placer,
        job,
        (placement, topology) ->
            quotas.isInShare(job, placement, topology) && quotas.admits(job, placement, topology),
        true,
        quotas.dependsOnModels(job));
  }

  /**
   * Returns a placer for a job that evicts others. Unlendable quota is checked once the victims are
   * known; where there is any, victims help wherever they run.
   *
   * @param inShare whether the queue must stay within its share
   */
  static Placer taking(Placer placer, Quotas quotas, JobEntry job, boolean inShare) {
    HypotheticalUsage now = HypotheticalUsage.toAdmit();
    return new QuotaPlacer(
        placer,
        job,
        (placement, topology) ->
            (!inShare || quotas.isInShare(job, placement, topology))
                && quotas.admits(job, placement, topology, now, true),
        !quotas.guaranteesUnlendableQuota(),
        quotas.dependsOnModels(job));
  }

  /**
   * Returns a placer under which limits hold and usage stays within the share or does not grow,
   * given victims of the same queue. Unlendable quota is checked separately.
   *
   * @param lost the charges of the removed jobs; live
   */
  static Placer instead(Placer placer, Quotas quotas, JobEntry job, List<Charge> lost) {
    return new QuotaPlacer(
        placer,
        job,
        (placement, topology) -> quotas.admitsReplacement(job, placement, topology, lost),
        false,
        quotas.dependsOnModels(job));
  }

  /**
   * Returns a placer under a hypothetical usage. Victims count wherever they run.
   *
   * @param mayBorrow whether the job's queue may borrow
   */
  static Placer imagining(
      Placer placer, Quotas quotas, JobEntry job, HypotheticalUsage use, boolean mayBorrow) {
    return new QuotaPlacer(
        placer,
        job,
        (placement, topology) -> quotas.admits(job, placement, topology, use, mayBorrow),
        false,
        quotas.dependsOnModels(job));
  }

  /**
   * Returns a placer that checks the share only. Victims help wherever they run, since limits count
   * all usage of a queue.
   */
  static Placer inShareBeyondLimits(Placer placer, Quotas quotas, JobEntry job) {
    return new QuotaPlacer(
        placer,
        job,
        (placement, topology) -> quotas.isInShare(job, placement, topology),
        false,
        quotas.dependsOnModels(job));
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    Optional<Placement> found = placer.place(view, job);
    if (found.isEmpty() || admits(view, found.get())) {
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
    for (GpuModel model : models(view.topology(), tooMuch)) {
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

  private static Set<GpuModel> models(ClusterTopology topology, Placement placement) {
    Set<GpuModel> models = new LinkedHashSet<>();
    for (TaskPlacement task : placement.tasks()) {
      task.gpus().forEach(gpu -> models.add(topology.gpu(new GpuId(task.node(), gpu)).model()));
    }
    return models;
  }

  private Optional<Placement> admitted(ClusterView view, JobSpec job) {
    return placer.place(view, job).filter(placement -> admits(view, placement));
  }

  private boolean admits(ClusterView view, Placement placement) {
    return admission.admits(placement, view.topology());
  }

  @Override
  public boolean allows(ClusterView view, JobSpec job, Placement placement) {
    return placer.allows(view, job, placement) && admits(view, placement);
  }

  @Override
  public boolean isCapacityBound() {
    return isLive && placer.isCapacityBound();
  }
}
