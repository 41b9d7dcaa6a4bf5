package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Places one job where its queue may hold what it would hold there: the smallest of its sizes, if
 * the queue may not hold the one found.
 */
record QuotaPlacer(Placer placer, Quotas quotas, JobEntry entry, boolean inShare)
    implements Placer {

  /** Returns a placer for the job; the same one if there is no tree of queues. */
  static Placer of(Placer placer, Quotas quotas, JobEntry job) {
    return quotas.areKept() ? new QuotaPlacer(placer, quotas, job, false) : placer;
  }

  /** Returns a placer for the job with which its queue holds no more than its share. */
  static Placer inShare(Placer placer, Quotas quotas, JobEntry job) {
    return new QuotaPlacer(placer, quotas, job, true);
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    Optional<Placement> found = placer.place(view, job);
    boolean isTooLarge = found.isPresent() && !admits(view, found.get());
    return isTooLarge && job.parallelism().isElastic()
        ? placer.place(view, job.atLeastSize()).filter(least -> admits(view, least))
        : found.filter(placement -> !isTooLarge);
  }

  private boolean admits(ClusterView view, Placement placement) {
    return quotas.admits(entry, placement, inShare, view.topology());
  }

  @Override
  public boolean allows(ClusterView view, JobSpec job, Placement placement) {
    return placer.allows(view, job, placement) && admits(view, placement);
  }

  @Override
  public boolean isCapacityBound() {
    return placer.isCapacityBound();
  }

  @Override
  public boolean mayUse(ClusterView view, JobSpec job, BitSet gpus) {
    return placer.mayUse(view, job, gpus);
  }

  @Override
  public boolean isInfeasible(ClusterView idle, JobSpec job) {
    return placer.isInfeasible(idle, job);
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return placer.unmetConstraints(view, job);
  }

  @Override
  public Map<String, String> parameters() {
    return placer.parameters();
  }
}
