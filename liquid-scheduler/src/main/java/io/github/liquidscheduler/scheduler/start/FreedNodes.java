package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.placement.eviction.ClusterCapacity;
import io.github.liquidscheduler.placement.eviction.GrownNodes;
import io.github.liquidscheduler.placement.eviction.Growth;
import io.github.liquidscheduler.placement.eviction.LeastRequests;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.MissingTasks;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.ClassWalk;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.RunningJobs;
import io.github.liquidscheduler.scheduler.queue.WaitingClasses;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a job that failed can fit now only if one of its tasks goes on a node that has grown
 * since. So each question is about the grown nodes, with the least requests of a class as a sieve,
 * and a class with a known shortage counts only the growth since its last failure.
 * Invariants: a negative answer is certain, a positive one is not; capacity only shrinks within a
 * pass except after pre-emptions, where the walk begins again from the lowest victim's rank.
 * RetryLaws, FullClusterLaws; FreedNodesTest for the walk.
 * Cost: O(grown nodes + pre-emptible jobs on them) once, then O(nodes grown since the class was
 * asked) for a class; classes that fit no grown node are skipped many at a time. EventBench.
 */
/**
 * Finds waiting jobs that may fit on capacity released by an event. A job that did not fit can fit
 * now only if a task goes on a node whose capacity has grown; capacity counts what is free and what
 * the job may take from others. A job of which no task fits on such a node is known to fail.
 *
 * <p>Holds for {@linkplain io.github.liquidscheduler.scheduling.Placer#isCapacityBound()
 * capacity-bound} placers; with others any growth may help any job. New knowledge about co-runners
 * may help jobs that share GPUs on any node.
 */
final class FreedNodes {

  private final JobTable table;
  private final Placer placer;
  private final Agenda agenda;
  private final boolean helpAnywhere;
  private final boolean countsSearches;
  private final AvailableCapacity everywhere;
  private final Map<QueueAccount, GrownNodes> grownForQueue = new LinkedHashMap<>();
  private @Nullable Map<CoRunnerKind, BitSet> gpusOf;
  private @Nullable BitSet grownGpus;
  private @Nullable GrownNodes grown;
  private long growthsTakenIn;
  private @Nullable ClassWalk walk;
  private @Nullable JobEntry helped;

  /**
   * Makes the filter.
   *
   * @param helpAnywhere whether growth on any node may help any job
   * @param countsSearches whether jobs are asked about all growth, known shortage or not, so that a
   *     restored scheduler searches for the same jobs
   */
  FreedNodes(JobTable table, Placer placer, boolean helpAnywhere, boolean countsSearches) {
    this.countsSearches = countsSearches;
    this.table = table;
    this.placer = placer;
    this.helpAnywhere = helpAnywhere;
    agenda = table.agenda();
    everywhere = new AvailableCapacity(table);
  }

  /** Begins the walk over classes where the last event has stopped. */
  void begin() {
    beginFrom(agenda.grownFrom(), agenda.askedOf());
  }

  private void beginFrom(long rank, long asked) {
    walk = classes().walkFrom(rank, asked);
    helped = null;
  }

  /**
   * Returns the next first job of a class, in turn order, that the growth may help; null if none.
   * Capacity only shrinks as jobs start, so that skipped jobs need not be asked again.
   */
  @Nullable JobEntry peek() {
    if (helped == null && walk != null) {
      helped = walk.next(this::passOver, this::isHelped);
    }
    return helped;
  }

  private boolean isHelped(JobEntry job) {
    return classes().mayBeHelped(job)
        && !table.eligible().hasToWaitForTurn(job)
        && mayHoldAny(job)
        && helps(job);
  }

  /** Skips jobs for which {@link #mayHoldAny} is false. */
  private int passOver(JobEntry job, LeastRequests requests, int position) {
    boolean mayHelpAnybody =
        helpAnywhere
            || (table.quotas().hasQueueTree() && !classes().ofQueueOf(job).isQuiet())
            || agenda.hasRelearned()
            || !agenda.admitted().isEmpty();
    // Jobs of higher rank may take no more from others.
    return mayHelpAnybody ? position : grownFor(job).nextHeld(requests, position);
  }

  /** Advances past the present job. There is one. */
  void skip() {
    Objects.requireNonNull(walk).passOver(Objects.requireNonNull(helped));
    helped = null;
  }

  /** Returns true if the walk has begun. */
  boolean hasBegun() {
    return walk != null;
  }

  /** Returns the job of the lowest rank still to be visited, or null. */
  @Nullable JobEntry lowest() {
    return walk == null ? null : walk.lowest();
  }

  /** Notes a start, which reduces capacity. */
  void started(JobEntry job) {
    lookAgain();
    everywhere.started(job);
    // Without a query the taken capacity need not be known.
    if (grown != null) {
      NodeSet taken = job.nodes(index().topology());
      grown.readFree(taken);
      grownForQueue.values().forEach(nodes -> nodes.readFree(taken));
    }
  }

  /**
   * Returns true if more than the growth may help a job: in a queue tree, if victims of other
   * queues may. Otherwise the job uses free capacity and that of its own queue.
   */
  private boolean mayBeHelpedAnywhere(JobEntry job) {
    return helpAnywhere || table.quotas().admission().dependsOnOthers(job);
  }

  /** Returns false if no grown node can hold any task of the job. */
  private boolean mayHoldAny(JobEntry job) {
    return mayBeHelpedAnywhere(job)
        || agenda.hasRelearned()
        || !agenda.newCoRunners(job).isEmpty()
        || grownFor(job).mayHold(job.placementClass().leastTask());
  }

  /** Counts the growth for a class, given its first job; returns false if it is too little. */
  private boolean helps(JobEntry job) {
    MissingTasks shortage = job.shortage();
    if (mayBeHelpedAnywhere(job)) {
      countBesideOthers(job);
      return agenda.hasGrownFor(job);
    }
    if (table.quotas().admission().excess(job).isPresent()) {
      // Growth is not counted for the job until its queue may admit it.
      shortage.clear();
      shortage.exceed(true);
      return false;
    }
    boolean mustAsk = countsSearches || shortage.task(job) == null;
    return mustAsk ? mayHelp(job) : !stillLacks(job, shortage);
  }

  /**
   * Counts the growth for a job that may evict others, so that its shortage without evictions stays
   * known. Clears it if more than capacity decides.
   */
  private void countBesideOthers(JobEntry job) {
    MissingTasks shortage = job.shortage();
    if (helpAnywhere || !table.quotas().admission().mayReclaim(job)) {
      shortage.clear();
    } else {
      stillLacks(job, shortage);
    }
  }

  /** Counts the growth for a job with a shortage; returns true if the shortage remains. */
  private boolean stillLacks(JobEntry job, MissingTasks shortage) {
    long since = shortage.since(job);
    if (since < agenda.firstGrowth() && table.hasOneHead()) {
      // Only the head of the queue was asked at the events since then.
      shortage.clear();
    }
    @Nullable TaskShape task = shortage.task(job);
    if (task == null) {
      return false;
    }
    int missing = shortage.missing();
    int more =
        grownFor(job)
            .moreTasks(
                job.job(), job.placementClass().leastTask(), task, job.rank(), since, missing);
    shortage.reduce(more, agenda.nextGrowth());
    return shortage.missing() > 0;
  }

  /**
   * Returns true if the job is known, without a look at the whole cluster, to lack capacity unless
   * jobs of other queues leave.
   */
  boolean isKnownToLack(JobEntry job) {
    return isCounted(job) && stillLacks(job, job.shortage());
  }

  /** Returns true if the shortage of the job is counted. */
  private boolean isCounted(JobEntry job) {
    return job.job().sharing() instanceof Sharing.Exclusive
        && (!mayBeHelpedAnywhere(job)
            || (!helpAnywhere && table.quotas().admission().mayReclaim(job)));
  }

  /**
   * Returns true if the whole cluster has too little capacity for some role of the job. If jobs of
   * other queues may leave, only notes the shortage.
   */
  boolean isTooLittle(JobEntry job) {
    if (!isCounted(job)) {
      return false;
    }
    boolean dependsOnOthers = mayBeHelpedAnywhere(job);
    MissingTasks shortage = job.shortage();
    if (stillLacks(job, shortage)) {
      return !dependsOnOthers;
    }
    Optional<ClusterCapacity.Lack> lack = everywhere.forJob(job).lack(job.job());
    lack.ifPresent(
        known -> shortage.lack(known.role(), known.missing(), job.rank(), agenda.nextGrowth()));
    return lack.isPresent() && !dependsOnOthers;
  }

  /** Notes a failed attempt. */
  void failed(JobEntry job) {
    if (!mayBeHelpedAnywhere(job) && job.shortage().task(job) == null) {
      job.shortage().failed(job.rank(), agenda.nextGrowth());
    }
  }

  /** Returns false if no growth can help a job that failed before. */
  boolean mayHelp(JobEntry job) {
    if (!agenda.hasGrownFor(job)) {
      return false;
    }
    boolean shares = !(job.job().sharing() instanceof Sharing.Exclusive);
    if (mayBeHelpedAnywhere(job) || (agenda.hasRelearned() && shares)) {
      return true;
    }
    List<TaskShape> tasks = job.placementClass().tasks();
    long since = countsSearches ? 0 : job.shortage().since(job);
    boolean mayHold =
        grownFor(job)
            .mayHold(job.job(), job.placementClass().leastTask(), tasks, job.rank(), since);
    return shares ? (mayHold && mayUseGrown(job)) || mayUseLearned(job) : mayHold;
  }

  /** Returns true if the co-runners on grown nodes accept the job. */
  private boolean mayUseGrown(JobEntry job) {
    return table.mayPreempt(job) || mayUse(job, grownGpus());
  }

  /** Returns true if newly accepted co-runners may take the job. */
  private boolean mayUseLearned(JobEntry job) {
    Set<CoRunnerKind> others = agenda.newCoRunners(job);
    return !others.isEmpty() && (table.mayPreempt(job) || mayUse(job, gpusOf(others)));
  }

  private BitSet gpusOf(Set<CoRunnerKind> kinds) {
    @Nullable Map<CoRunnerKind, BitSet> known = gpusOf;
    if (known == null) {
      known = table.cluster().shared().gpusOf(agenda.newCoRunners());
      gpusOf = known;
    }
    BitSet gpus = new BitSet();
    for (CoRunnerKind kind : kinds) {
      gpus.or(known.get(kind));
    }
    return gpus;
  }

  private boolean mayUse(JobEntry job, BitSet gpus) {
    return placer.mayUse(table.cluster(), job.job(), gpus);
  }

  private BitSet grownGpus() {
    @Nullable BitSet known = grownGpus;
    if (known == null) {
      ClusterTopology topology = index().topology();
      BitSet gpus = new BitSet(topology.gpuCount());
      agenda.grownNodes().stream()
          .forEach(node -> gpus.set(topology.gpusBefore(node), topology.gpusBefore(node + 1)));
      grownGpus = gpus;
      known = gpus;
    }
    return known;
  }

  /** Notes pre-emptions, which help jobs of this rank and higher ones. */
  void preempted(long rank) {
    everywhere.clear();
    grownGpus = null;
    if (grown != null && table.quotas().hasQueueTree() && !helpAnywhere) {
      takeInGrowths(grown);
    } else {
      grown = null;
      grownForQueue.clear();
    }
    @Nullable JobEntry left = lowest();
    if (walk == null || left == null || rank <= left.rank()) {
      beginFrom(rank, -1);
    } else {
      lookAgain();
    }
  }

  private void lookAgain() {
    helped = null;
    if (walk != null) {
      walk.reorder();
    }
  }

  private WaitingClasses classes() {
    return table.eligible().byClass();
  }

  private GrownNodes grownFor(JobEntry job) {
    GrownNodes nodes = table.quotas().hasQueueTree() ? grownForQueueOf(job) : grown();
    return nodes.withoutAbove(table.preemptsAbove(job));
  }

  /** Returns the free capacity of the grown nodes and that of the queue's own jobs there. */
  private GrownNodes grownForQueueOf(JobEntry job) {
    GrownNodes known = grown();
    return grownForQueue.getOrDefault(job.account(), known);
  }

  /** Returns the free capacity of the grown nodes and that of pre-emptible jobs. */
  private GrownNodes grown() {
    @Nullable GrownNodes known = grown;
    if (known == null) {
      BitSet up = onlyUp(agenda.grownNodes());
      GrownNodes all = new GrownNodes(index(), up, agenda.growths(), agenda.firstGrowth());
      growthsTakenIn = agenda.nextGrowth();
      if (table.policy().preempts()) {
        boolean byQueue = table.quotas().hasQueueTree();
        forEachPreemptible(
            up,
            (job, node) ->
                (byQueue
                        ? grownForQueue.computeIfAbsent(
                            job.account(), queue -> all.forOthersToLeave())
                        : all)
                    .mayLeave(job.rank(), job.nodes(index().topology()), node));
      }
      grown = all;
      known = all;
    }
    return known;
  }

  private BitSet onlyUp(BitSet nodes) {
    BitSet up = new BitSet();
    nodes.stream().filter(node -> index().health(node) == NodeHealth.UP).forEach(up::set);
    return up;
  }

  /**
   * Adds the growth since the last pre-emption, in a queue tree. Recomputes queues with jobs, now
   * or before, on the grown nodes.
   */
  private void takeInGrowths(GrownNodes known) {
    int old = Math.toIntExact(growthsTakenIn - agenda.firstGrowth());
    List<Growth> since = agenda.growths().subList(old, agenda.growths().size());
    BitSet nodes = new BitSet();
    since.forEach(growth -> growth.capacity().addTo(nodes));
    BitSet up = onlyUp(nodes);
    known.growOn(up, since, growthsTakenIn);
    growthsTakenIn = agenda.nextGrowth();
    if (table.policy().preempts()) {
      Set<QueueAccount> changed = new LinkedHashSet<>();
      grownForQueue.forEach(
          (queue, theirs) -> {
            if (theirs.areAnyAt(up)) {
              changed.add(queue);
            }
          });
      forEachPreemptible(up, (job, node) -> changed.add(job.account()));
      changed.forEach(queue -> grownForQueue.put(queue, grownOf(queue, known)));
    }
  }

  private GrownNodes grownOf(QueueAccount queue, GrownNodes all) {
    GrownNodes theirs = all.forOthersToLeave();
    table
        .running()
        .preemptibleOf(queue)
        .forEachRemaining(job -> theirs.mayLeave(job.rank(), job.nodes(index().topology())));
    return theirs;
  }

  private void forEachPreemptible(BitSet nodes, ObjIntConsumer<JobEntry> visitor) {
    ClusterTopology topology = index().topology();
    RunningJobs running = table.running();
    for (int next = nodes.nextSetBit(0); next >= 0; next = nodes.nextSetBit(next + 1)) {
      int node = next;
      running.forEachOn(
          topology.nodes().get(node).id(),
          job -> {
            if (running.mayBePreempted(job)) {
              visitor.accept(job, node);
            }
          });
    }
  }

  private CapacityIndex index() {
    return table.cluster().index();
  }
}
