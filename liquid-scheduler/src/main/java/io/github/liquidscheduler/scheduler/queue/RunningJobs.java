package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The running jobs in the order of their starts, and those that may be stopped by rank. */
public final class RunningJobs {

  private final Set<JobEntry> byStart = new LinkedHashSet<>();
  // Never iterated.
  private final Map<NodeId, Set<JobEntry>> byNode = new HashMap<>();
  private final OrderedJobs preemptible = new OrderedJobs();
  private final boolean preempts;
  private long starts;

  /** Makes an empty set; without pre-emption the order by rank is not kept. */
  RunningJobs(boolean preempts) {
    this.preempts = preempts;
  }

  void add(JobEntry job) {
    byStart.add(job);
    nodes(job)
        .forEach(node -> byNode.computeIfAbsent(node, each -> new LinkedHashSet<>()).add(job));
    job.numberStart(starts++);
    job.queue().countRunning(1, gpus(job));
  }

  void remove(JobEntry job) {
    byStart.remove(job);
    nodes(job).forEach(node -> remove(job, node));
    job.queue().countRunning(-1, -gpus(job));
  }

  private void remove(JobEntry job, NodeId node) {
    Set<JobEntry> there = Objects.requireNonNull(byNode.get(node));
    there.remove(job);
    if (there.isEmpty()) {
      byNode.remove(node);
    }
  }

  /** Puts a job that runs into the order of ranks. */
  void enqueue(JobEntry job) {
    if (isKept(job)) {
      preemptible.add(job);
    }
  }

  /** Takes a job that runs out of the order of ranks, so that its rank can change. */
  void dequeue(JobEntry job) {
    if (isKept(job)) {
      preemptible.remove(job);
    }
  }

  /** Returns the jobs that may be stopped and whose rank is higher, the last in turn first. */
  public List<JobEntry> preemptibleAbove(long rank) {
    return preemptible.above(rank);
  }

  /**
   * Returns a copy of the list of running jobs, in the order of their starts; a moved job counts as
   * started anew. O(n).
   */
  public List<JobEntry> inOrder() {
    return new ArrayList<>(byStart);
  }

  /** Returns the jobs with a task on the node, in the order of their starts, as a copy. */
  public List<JobEntry> on(NodeId node) {
    return List.copyOf(byNode.getOrDefault(node, Set.of()));
  }

  private static Set<NodeId> nodes(JobEntry job) {
    return job.placement().map(Placement::nodes).orElse(Set.of());
  }

  private static int gpus(JobEntry job) {
    return job.placement().map(Placement::gpus).orElse(0);
  }

  private boolean isKept(JobEntry job) {
    return preempts && job.job().isPreemptible();
  }
}
