package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.eviction.CapacityByRank;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import io.github.liquidscheduler.scheduler.job.Ranking;
import io.github.liquidscheduler.scheduler.phase.JobPhase;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: start order by number of start, pre-emptible jobs by rank and by queue; all other
 * indexes (by node, by end, by charge, firm jobs, capacity by rank) are built at their first use
 * and maintained from then on.
 * Invariants: a ranked job is either protected or in the order of ranks, never both; its rank
 * changes only between dequeue and enqueue; an index that exists holds what a new one would.
 * RunningJobsTest and RecoveryLaws.
 * Cost: add and remove O(nodes of the job + jobs on these nodes); enqueue and dequeue O(log jobs);
 * inOrder O(jobs), a copy; first uses O(jobs), by end O(jobs log jobs). EventBench.
 */
/** The running jobs in start order, with an index of the pre-emptible ones by rank. */
public final class RunningJobs {

  private static final Comparator<JobEntry> BY_START =
      Comparator.comparing(JobEntry::since).thenComparingLong(JobEntry::sequence);

  private static final Comparator<JobEntry> BY_NUMBER = Comparator.comparingLong(JobEntry::start);

  private final NavigableSet<JobEntry> byStart = new TreeSet<>(BY_NUMBER);
  private OrderedJobs preemptible = new OrderedJobs();
  private final Map<QueueAccount, OrderedJobs> preemptibleByQueue = new LinkedHashMap<>();
  private final TreeSet<JobEntry> protectedJobs = new TreeSet<>(BY_START);
  private final boolean preempts;
  private final PreemptionRules rules;
  private boolean byQueue;
  // Each built at the first use. The first is never iterated.
  private @Nullable Map<NodeId, List<JobEntry>> byNode;
  private @Nullable NavigableSet<JobEntry> bySoonestEnd;
  private @Nullable Set<JobEntry> firm;
  private @Nullable CapacityByRank byRank;
  // In the order of their starts; null until somebody asks.
  private @Nullable NavigableSet<JobEntry> changed;
  private final NavigableSet<JobEntry> launching = new TreeSet<>(BY_NUMBER);
  private Instant asOf = Instant.MIN;
  private long starts;
  private long gpus;

  /** Makes an empty set. Without pre-emption there is no order by rank. */
  RunningJobs(boolean preempts, PreemptionRules rules) {
    this.preempts = preempts;
    this.rules = rules;
  }

  /** Adds a job as the last one that has started. */
  void add(JobEntry job) {
    job.numberStart(starts++);
    putBack(job);
  }

  /** Adds a job at its former place in the start order. */
  void putBack(JobEntry job) {
    byStart.add(job);
    noteChange(job);
    if (firm != null && Ranking.isFirm(job.job())) {
      firm.add(job);
    }
    if (byNode != null) {
      addTo(byNode, job);
    }
    int held = gpus(job);
    gpus += held;
    job.queue().countRunning(1, held);
  }

  void remove(JobEntry job) {
    byStart.remove(job);
    noteChange(job);
    if (firm != null) {
      firm.remove(job);
    }
    if (byNode != null) {
      removeFrom(byNode, job);
    }
    int held = gpus(job);
    gpus -= held;
    job.queue().countRunning(-1, -held);
  }

  private void noteChange(JobEntry job) {
    if (changed != null) {
      changed.add(job);
    }
  }

  /**
   * Takes the jobs that have come, gone, moved or changed what is expected of them since the last
   * call; the first call returns none.
   */
  public List<JobEntry> takeChanged() {
    List<JobEntry> taken = changed == null ? List.of() : List.copyOf(changed);
    changed = new TreeSet<>(BY_NUMBER);
    return taken;
  }

  /** Returns true if these indexes hold a job. */
  boolean contains(JobEntry job) {
    return job.equals(byStart.floor(job));
  }

  /** Returns the GPUs of all placements, without those that shrinking jobs still hold. */
  public long gpus() {
    return gpus;
  }

  private static void addTo(Map<NodeId, List<JobEntry>> byNode, JobEntry job) {
    for (NodeId node : nodes(job)) {
      List<JobEntry> there = byNode.computeIfAbsent(node, each -> new ArrayList<>());
      there.add(job);
      for (int at = there.size() - 1; at > 0 && startsBefore(job, there.get(at - 1)); at--) {
        Collections.swap(there, at, at - 1);
      }
    }
  }

  private static boolean startsBefore(JobEntry job, JobEntry other) {
    return job.start() < other.start();
  }

  private static void removeFrom(Map<NodeId, List<JobEntry>> byNode, JobEntry job) {
    for (NodeId node : nodes(job)) {
      List<JobEntry> there = Objects.requireNonNull(byNode.get(node));
      there.remove(job);
      if (there.isEmpty()) {
        byNode.remove(node);
      }
    }
  }

  private Map<NodeId, List<JobEntry>> byNode() {
    @Nullable Map<NodeId, List<JobEntry>> known = byNode;
    if (known == null) {
      known = new HashMap<>();
      for (JobEntry job : byStart) {
        addTo(known, job);
      }
      byNode = known;
    }
    return known;
  }

  /** Returns the jobs that were not reported as begun, in start order. */
  public List<JobEntry> launching() {
    return List.copyOf(launching);
  }

  /** Adds a running job to the orders by rank and by end. */
  void enqueue(JobEntry job) {
    noteChange(job);
    if (job.phase() instanceof JobPhase.Launching) {
      launching.add(job);
    }
    if (bySoonestEnd != null) {
      job.foreseeEnd();
      bySoonestEnd.add(job);
    }
    if (isRanked(job)) {
      if (isProtected(job)) {
        protectedJobs.add(job);
      } else {
        preemptible.add(job);
        if (byRank != null) {
          byRank.add(job.rank(), job.nodes(byRank.topology()));
        }
        addToQueue(job);
      }
    }
  }

  /** Removes a running job from these orders, so that its keys may change. */
  void dequeue(JobEntry job) {
    launching.remove(job);
    if (bySoonestEnd != null) {
      bySoonestEnd.remove(job);
    }
    if (isRanked(job) && !protectedJobs.remove(job)) {
      preemptible.remove(job);
      if (byRank != null) {
        byRank.remove(job.rank(), job.nodes(byRank.topology()));
      }
      removeFromQueue(job);
    }
  }

  private void addToQueue(JobEntry job) {
    if (byQueue) {
      preemptibleByQueue.computeIfAbsent(job.account(), each -> new OrderedJobs()).add(job);
      job.account().noteChange();
    }
  }

  private void removeFromQueue(JobEntry job) {
    if (byQueue) {
      OrderedJobs queue = Objects.requireNonNull(preemptibleByQueue.get(job.account()));
      queue.remove(job);
      job.account().noteChange();
      if (queue.isEmpty()) {
        preemptibleByQueue.remove(job.account());
      }
    }
  }

  /**
   * Sets whether pre-emptible jobs are indexed by queue too. No job may be in the order of ranks
   * yet.
   */
  void groupByQueue(boolean grouped) {
    byQueue = grouped;
  }

  /** Returns the pre-emptible jobs by queue, each last in turn first. */
  public Map<QueueAccount, Stream<JobEntry>> preemptibleByQueue() {
    Map<QueueAccount, Stream<JobEntry>> jobs = new LinkedHashMap<>();
    preemptibleByQueue.forEach((queue, of) -> jobs.put(queue, of.lastFirst()));
    return jobs;
  }

  /** Returns the pre-emptible jobs of a queue, last in turn first. */
  public Iterator<JobEntry> preemptibleOf(QueueAccount queue) {
    @Nullable OrderedJobs known = preemptibleByQueue.get(queue);
    return known == null ? Collections.emptyIterator() : known.above(Long.MIN_VALUE, job -> true);
  }

  /** Returns the pre-emptible jobs of a queue, last in turn first, then its protected ones. */
  public Iterator<JobEntry> preemptibleSoonOf(QueueAccount queue) {
    @Nullable OrderedJobs known = preemptibleByQueue.get(queue);
    return Stream.concat(
            known == null ? Stream.empty() : known.lastFirst(),
            protectedJobs.descendingSet().stream().filter(job -> queue.equals(job.account())))
        .iterator();
  }

  /** Returns the pre-emptible jobs of the job's queue, last in turn first. */
  public Stream<JobEntry> preemptibleBeside(JobEntry job) {
    @Nullable OrderedJobs queue = preemptibleByQueue.get(job.account());
    return queue == null ? Stream.empty() : queue.lastFirst();
  }

  /**
   * Returns true if a running job may be pre-empted now: by rank if the policy pre-empts, by
   * another queue in a tree, or only to be moved.
   */
  public boolean mayBePreempted(JobEntry job) {
    return isRanked(job) && (protectedJobs.isEmpty() || !protectedJobs.contains(job));
  }

  /**
   * Returns true if a running job may be pre-empted now by a job that pre-empts above {@code rank}.
   */
  public boolean mayBePreempted(JobEntry job, long rank) {
    return mayBePreempted(job) && job.rank() > rank;
  }

  /** Returns the next end of a job's protection. */
  Optional<Instant> nextUnprotected() {
    return protectedJobs.isEmpty()
        ? Optional.empty()
        : Optional.of(GpuTime.later(protectedJobs.first().since(), rules.minRunTime()));
  }

  /**
   * Sets the time against which protection is judged; until then a job stays protected, so that
   * each end of protection is noticed.
   */
  void endProtectionAt(Instant now) {
    asOf = now;
  }

  /** Returns a job whose protection has ended unnoticed, or null. */
  @Nullable JobEntry unprotected() {
    return protectedJobs.isEmpty() || isProtected(protectedJobs.first())
        ? null
        : protectedJobs.first();
  }

  /** Returns true if a job has not run for the minimum run time. */
  public boolean isProtected(JobEntry job) {
    return !rules.minRunTime().isZero()
        && Duration.between(job.since(), asOf).compareTo(rules.minRunTime()) < 0;
  }

  /** Returns the pre-emptible jobs, last in turn first. */
  public Stream<JobEntry> preemptible() {
    return preemptible.lastFirst();
  }

  /** Returns the wanted pre-emptible jobs above a rank, last in turn first. */
  public Iterator<JobEntry> preemptibleAbove(long rank, Predicate<JobEntry> wanted) {
    return preemptible.above(rank, wanted);
  }

  /** Returns the jobs to which nothing is promised, protected or not, last in turn first. */
  Stream<JobEntry> unpromised() {
    return byStart.stream().filter(job -> !job.isPromised()).sorted(JobOrders.RANK.reversed());
  }

  /**
   * Returns the capacity of pre-emptible jobs by rank; null if there are too many ranks. The first
   * call costs O(n).
   */
  public @Nullable CapacityByRank capacityByRank(ClusterTopology topology) {
    @Nullable CapacityByRank known = byRank;
    if (known == null) {
      CapacityByRank all = new CapacityByRank(topology);
      preemptible.forEach(job -> all.add(job.rank(), job.nodes(topology)));
      byRank = all;
      known = all;
    }
    return known.isKept() ? known : null;
  }

  /** Notes new positions of nodes. */
  void renumberNodes(ClusterTopology topology) {
    byRank = byRank == null ? null : byRank.in(topology);
  }

  /** Returns a copy of the running jobs in start order; a move counts as a start. O(n). */
  public List<JobEntry> inOrder() {
    return new ArrayList<>(byStart);
  }

  /** Returns the running firm jobs in start order; live. The first call costs O(n). */
  public Collection<JobEntry> firm() {
    if (firm == null) {
      firm = new TreeSet<>(BY_NUMBER);
      for (JobEntry job : byStart) {
        if (Ranking.isFirm(job.job())) {
          firm.add(job);
        }
      }
    }
    return Collections.unmodifiableCollection(firm);
  }

  /**
   * Returns the jobs with a task on the node, in the order of their starts, as a copy. The first
   * call costs O(n).
   */
  public List<JobEntry> on(NodeId node) {
    return List.copyOf(byNode().getOrDefault(node, List.of()));
  }

  /** Visits the jobs with a task on the node, in start order. */
  public void forEachOn(NodeId node, Consumer<JobEntry> visitor) {
    byNode().getOrDefault(node, List.of()).forEach(visitor);
  }

  private static Set<NodeId> nodes(JobEntry job) {
    return job.placement().map(Placement::nodes).orElse(Set.of());
  }

  /**
   * Returns the jobs by expected end, unknown ends last. The first call costs O(n log n), each
   * later change of a job O(log n).
   */
  public NavigableSet<JobEntry> soonestToEnd() {
    if (bySoonestEnd == null) {
      bySoonestEnd = new TreeSet<>(JobOrders.SOONEST_TO_END);
      for (JobEntry job : byStart) {
        job.foreseeEnd();
        bySoonestEnd.add(job);
      }
    }
    return Collections.unmodifiableNavigableSet(bySoonestEnd);
  }

  /**
   * Returns the GPUs that a running job counts for: those it has or is getting, as in its quota,
   * without those it gives up.
   */
  static int gpus(JobEntry job) {
    return job.placedGpus();
  }

  private boolean isRanked(JobEntry job) {
    return (preempts || byQueue || rules.mostMoves() > 0)
        && job.job().isPreemptible()
        && job.history().preemptions() < rules.mostPreemptions();
  }
}
