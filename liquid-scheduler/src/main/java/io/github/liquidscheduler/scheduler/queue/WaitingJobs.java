package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The waiting jobs in the order of their turns, all together and by shape. */
public final class WaitingJobs {

  private final OrderedJobs all = new OrderedJobs();
  private final Map<PlacementClass, OrderedJobs> byShape = new LinkedHashMap<>();

  void add(JobEntry job) {
    all.add(job);
    byShape.computeIfAbsent(job.shape(), shape -> new OrderedJobs()).add(job);
  }

  void remove(JobEntry job) {
    all.remove(job);
    OrderedJobs peers = peers(job);
    peers.remove(job);
    if (peers.isEmpty()) {
      byShape.remove(job.shape());
    }
  }

  /** Returns whether no job waits. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** Returns the job whose turn is next, or null if none waits. */
  public @Nullable JobEntry first() {
    return all.isEmpty() ? null : all.first();
  }

  /** Returns how many jobs wait before this one. */
  public int position(JobEntry job) {
    return all.position(job);
  }

  /**
   * Returns the waiting jobs of the placement class of one that waits, in the order of their turns.
   */
  public OrderedJobs peers(JobEntry job) {
    return Objects.requireNonNull(byShape.get(job.shape()));
  }

  /** Returns, of each shape, the first job of this rank or a higher one. */
  public List<JobEntry> firstsFrom(long rank) {
    List<JobEntry> firsts = new ArrayList<>();
    for (OrderedJobs peers : byShape.values()) {
      @Nullable JobEntry first = peers.firstFrom(rank);
      if (first != null) {
        firsts.add(first);
      }
    }
    return firsts;
  }

  /** Returns the ids of the jobs in the order of their turns, as a copy; O(n). */
  public List<JobId> ids() {
    List<JobId> ids = new ArrayList<>();
    all.forEach(job -> ids.add(job.id()));
    return ids;
  }

  /** Returns the jobs in the order of their turns, as a copy; O(n). */
  public List<JobEntry> inOrder() {
    List<JobEntry> jobs = new ArrayList<>();
    all.forEach(jobs::add);
    return jobs;
  }
}
