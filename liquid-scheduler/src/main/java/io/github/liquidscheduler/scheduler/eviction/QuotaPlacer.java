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
 * Places one job where its queue may hold what it would hold there: at the largest of its sizes
 * that the queue may hold, up to the preferred one.
 *
 * @param placer places jobs
 * @param entry the job
 * @param admission what its queue may hold
 * @param isLive whether only the room on nodes changes while the placer is used, not what its queue
 *     may hold
 * @param isByModel whether what the job holds depends on the models of its GPUs, so that its queue
 *     may hold it on others
 */
public record QuotaPlacer(
    Placer placer, JobEntry entry, Admission admission, boolean isLive, boolean isByModel)
    implements ForwardingPlacer {

  /** Says whether a queue may hold what a placement of the job holds. */
  @FunctionalInterface
  interface Admission {
    boolean admits(Placement placement, ClusterTopology topology);
  }

  /** Returns a placer for the job; the same one if there is no tree of queues. */
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

  /** Returns a placer for the job, with which its queue holds no more than its share. */
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
   * Returns a placer for the job for whom others leave: what is not lent to its queue has to be
   * looked at once it is known who. Where some is not, whoever leaves may help, wherever it runs.
   *
   * @param inShare whether its queue must hold no more than its share
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
   * Returns a placer for the job, with which its queue keeps to its limits and holds no more than
   * its share, or no more than before some of its jobs left: each of them counts, wherever it runs.
   * What is not lent to the queue has to be looked at besides.
   *
   * @param lost what each of those holds who are out of the cluster; changes
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
   * Returns a placer for the job, given what queues use while some jobs are imagined gone: each of
   * them counts, wherever it runs.
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
   * Returns a placer for the job, with which its queue keeps to its share, whatever limits say.
   * Whoever leaves may help it, wherever that is: limits count all that their queues hold.
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

  /** Places the job on GPUs of other models than one of those of which its queue may hold less. */
  private Optional<Placement> onOtherModels(ClusterView view, JobSpec job, Placement tooMuch) {
    for (GpuModel model : models(view.topology(), tooMuch)) {
      List<GpuModel> others =
          new ArrayList<>(
              job.gpuModels().isEmpty() ? view.topology().gpusByModel().keySet() : job.gpuModels());
      others.remove(model);
      Optional<Placement> found =
          others.isEmpty()
              ? Optional.empty()
              : place(view, job.toBuilder().gpuModels(others).build());
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
