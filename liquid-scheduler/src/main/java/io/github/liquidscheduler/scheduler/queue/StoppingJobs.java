package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * Idea: what a job is leaving and for whose leaving it waits follow from its phase alone, so that
 * both are indexed together: a job is taken out before its phase changes and put back afterwards.
 * Invariants: a job is here exactly if its phase leaves something or waits for others; nobody waits
 * for a job that leaves nothing. StoppingLaws and HeldCapacityLaws.
 * Cost: O(nodes of the job) for a change; what blocks a placement O(its tasks x jobs that leave
 * their nodes).
 */
/**
 * The capacity that pre-empted, shrinking and moving jobs hold until they have left it, although it
 * counts as free, and the jobs that wait for that. Both follow from the phases of jobs.
 */
public final class StoppingJobs {

  private static final Comparator<JobEntry> BY_SUBMISSION =
      Comparator.comparingLong(JobEntry::sequence);

  private final Function<JobId, JobEntry> jobs;
  private final NavigableSet<JobEntry> awaiting = new TreeSet<>(BY_SUBMISSION);
  // Never iterated.
  private final Map<NodeId, Map<JobId, Placement>> byNode = new HashMap<>();
  private final Set<JobId> all = new TreeSet<>();

  /**
   * Makes an empty collection.
   *
   * @param jobs finds a job by id
   */
  StoppingJobs(Function<JobId, JobEntry> jobs) {
    this.jobs = jobs;
  }

  /** Takes in what the phase of a job says. */
  void add(JobEntry job) {
    job.phase().leaving().ifPresent(this::add);
    if (!job.phase().after().isEmpty()) {
      awaiting.add(job);
    }
  }

  /** Forgets a job, before its phase changes. */
  void remove(JobEntry job) {
    job.phase().leaving().ifPresent(this::remove);
    awaiting.remove(job);
  }

  void add(Placement held) {
    all.add(held.job());
    for (NodeId node : held.nodes()) {
      byNode.computeIfAbsent(node, each -> new LinkedHashMap<>()).put(held.job(), held);
    }
  }

  void remove(Placement held) {
    all.remove(held.job());
    for (NodeId node : held.nodes()) {
      Map<JobId, Placement> there = byNode.getOrDefault(node, Collections.emptyMap());
      there.remove(held.job());
      if (there.isEmpty()) {
        byNode.remove(node);
      }
    }
  }

  /** Returns true if no job is leaving anything. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** Returns the jobs that wait for others, in order of submission. */
  List<JobEntry> awaiting() {
    return List.copyOf(awaiting);
  }

  /** Returns the jobs that are leaving something, and those that wait for them. */
  List<JobEntry> changing() {
    Set<JobEntry> changing = new LinkedHashSet<>(awaiting);
    all.forEach(id -> changing.add(jobs.apply(id)));
    return new ArrayList<>(changing);
  }

  /**
   * Returns true if a running job has begun, is launching, or does so by a time if nothing else
   * happens.
   */
  public boolean hasBegunBy(JobEntry job, Instant at) {
    return job.hasBegun() || haveLeftBy(job.phase().after(), at);
  }

  private boolean haveLeftBy(List<JobId> others, Instant at) {
    return others.stream().allMatch(other -> hasLeftBy(jobs.apply(other), at));
  }

  /** Returns true if a job has left what it is leaving by a time if nothing else happens. */
  private boolean hasLeftBy(JobEntry job, Instant at) {
    return job.isMoving()
        ? haveLeftBy(job.phase().after(), at)
        : job.isStopping() && job.phase().notBefore().get().compareTo(at) <= 0;
  }

  /**
   * Returns the latest end of the grace periods of jobs and of those that they wait for; now if
   * none has one.
   */
  Instant leftBy(List<JobId> leaving, Instant now) {
    Instant by = now;
    for (JobId id : leaving) {
      JobEntry job = jobs.apply(id);
      Instant until =
          job.isMoving() ? leftBy(job.phase().after(), now) : job.phase().notBefore().orElse(now);
      by = until.isAfter(by) ? until : by;
    }
    return by;
  }

  /** Returns the jobs that are leaving a node, by id. */
  public List<JobId> on(NodeId node) {
    @Nullable Map<JobId, Placement> there = byNode.get(node);
    return there == null ? List.of() : there.keySet().stream().sorted().toList();
  }

  /**
   * Returns the other jobs that must leave before a placement can be used, by id: they hold one of
   * its GPUs, or CPU or host memory that it needs.
   *
   * @param placement the placement, already applied to the cluster
   * @param cluster the free capacity, with that of stopping jobs counted as free
   */
  public List<JobId> blocking(Placement placement, ClusterView cluster) {
    if (byNode.isEmpty()) {
      return List.of();
    }
    Set<JobId> blocking = new TreeSet<>();
    for (TaskPlacement task : placement.tasks()) {
      Map<JobId, Placement> there = byNode.getOrDefault(task.node(), Collections.emptyMap());
      if (!there.isEmpty()) {
        Host lacks = Host.lacking(task, there, placement.job(), cluster);
        there.forEach(
            (job, held) -> {
              if (!job.equals(placement.job())
                  && (holdsGpuOf(task, held) || Host.of(held, task.node()).holdsAnyOf(lacks))) {
                blocking.add(job);
              }
            });
      }
    }
    return List.copyOf(blocking);
  }

  /**
   * Returns true if nobody else has to leave before a placement can be used, so that a running job
   * may move there at once.
   *
   * @param placement the placement, free in the cluster: the job has left its own
   */
  public boolean leaveFree(Placement placement, ClusterState cluster) {
    if (byNode.isEmpty()) {
      return true;
    }
    cluster.trials().takeBack(placement);
    boolean isFree = blocking(placement, cluster).isEmpty();
    cluster.trials().giveUp(placement);
    return isFree;
  }

  private static boolean holdsGpuOf(TaskPlacement task, Placement held) {
    return held.tasks().stream()
        .filter(other -> other.node().equals(task.node()))
        .anyMatch(other -> !Collections.disjoint(other.gpus(), task.gpus()));
  }

  /** Millicores of CPU and bytes of host memory on a node. */
  private record Host(long cpu, long memory) {

    /** Returns what a placement holds on a node. */
    static Host of(Placement held, NodeId node) {
      long cpu = 0;
      long memory = 0;
      for (TaskPlacement task : held.tasks()) {
        if (task.node().equals(node)) {
          cpu += of(task).cpu;
          memory += of(task).memory;
        }
      }
      return new Host(cpu, memory);
    }

    private static Host of(TaskPlacement task) {
      return new Host(
          task.request().cpu().orElse(CpuCores.ZERO).millicores(),
          task.request().memory().orElse(Memory.ZERO).bytes());
    }

    /**
     * Returns how much of what a task takes is missing while the others on its node hold theirs; 0
     * of what it does not request.
     */
    static Host lacking(
        TaskPlacement task, Map<JobId, Placement> there, JobId itself, ClusterView cluster) {
      long cpu = -cluster.freeCpu(task.node()).millicores();
      long memory = -cluster.freeMemory(task.node()).bytes();
      for (Map.Entry<JobId, Placement> other : there.entrySet()) {
        if (!other.getKey().equals(itself)) {
          cpu += of(other.getValue(), task.node()).cpu;
          memory += of(other.getValue(), task.node()).memory;
        }
      }
      Host taken = of(task);
      return new Host(Math.min(cpu, taken.cpu), Math.min(memory, taken.memory));
    }

    boolean holdsAnyOf(Host lacking) {
      return (lacking.cpu > 0 && cpu > 0) || (lacking.memory > 0 && memory > 0);
    }
  }
}
