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
import io.github.liquidscheduler.scheduler.queue.ClassWalk;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.MissingTasks;
import io.github.liquidscheduler.scheduler.queue.RetryState;
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

/**
 * Whom the room helps that an event has made. A job that did not fit before fits now only if one of
 * its tasks goes on a node where room has grown, since everywhere else there is no more than there
 * was; room counts what is free and what the job may take from others. So a job of which no task
 * fits on any such node, as it is at the time of the question, is known to fail.
 *
 * <p>That holds for placers that are {@linkplain
 * io.github.liquidscheduler.scheduling.Placer#isCapacityBound() bound by capacity} alone; with
 * others any growth may help anybody. What was learned of jobs that share GPUs may help those, on
 * any node.
 */
final class FreedNodes {

  private final JobTable table;
  private final Placer placer;
  private final RetryState changes;
  private final boolean helpAnywhere;
  private final AvailableCapacity everywhere;
  private final Map<QueueAccount, GrownNodes> grownForQueue = new LinkedHashMap<>();
  private @Nullable Map<CoRunnerKind, BitSet> gpusOf;
  private @Nullable BitSet grownGpus;
  private @Nullable GrownNodes grown;
  private long growthsTakenIn;
  private @Nullable ClassWalk walk;
  private @Nullable JobEntry helped;

  /** Makes the question; if {@code helpAnywhere}, room on any node may help anybody. */
  FreedNodes(JobTable table, Placer placer, boolean helpAnywhere) {
    this.table = table;
    this.placer = placer;
    this.helpAnywhere = helpAnywhere;
    changes = table.changes();
    everywhere = new AvailableCapacity(table);
  }

  /** Begins to go through the classes that may be helped, where the last event has stopped. */
  void begin() {
    beginFrom(changes.grownFrom(), changes.askedOf());
  }

  private void beginFrom(long rank, long asked) {
    walk = classes().walkFrom(rank, asked);
    helped = null;
  }

  /**
   * Returns the next in turn who is the first of a class and whom the room helps as it is now; null
   * if there is nobody. Room only shrinks as jobs start, so whoever is passed over need not be
   * asked again.
   */
  @Nullable JobEntry peek() {
    if (helped == null && walk != null) {
      helped = walk.next(this::passOver, job -> mayHoldAny(job) && helps(job));
    }
    return helped;
  }

  /** Passes over jobs of which {@link #mayHoldAny} is false. */
  private int passOver(JobEntry job, LeastRequests requests, int position) {
    boolean mayHelpAnybody =
        helpAnywhere
            || (table.quotas().hasQueueTree() && !classes().ofQueueOf(job).isQuiet())
            || changes.hasRelearned()
            || !changes.admitted().isEmpty();
    // Those who rank higher may take no more from others.
    return mayHelpAnybody ? position : grownFor(job).nextHeld(requests, position);
  }

  /** Goes on after the job that is next. There is one. */
  void skip() {
    Objects.requireNonNull(walk).passOver(Objects.requireNonNull(helped));
    helped = null;
  }

  /** Returns true if anybody has been asked, or will be. */
  boolean hasBegun() {
    return walk != null;
  }

  /** Returns the job of the lowest rank that has still to be asked, or null. */
  @Nullable JobEntry lowest() {
    return walk == null ? null : walk.lowest();
  }

  /** Notes that a job has started, so that less is left. */
  void started(JobEntry job) {
    lookAgain();
    everywhere.started(job);
    // Where nobody has asked, it need not be known what the job has taken.
    if (grown != null) {
      NodeSet taken = job.nodes(index().topology());
      grown.readFree(taken);
      grownForQueue.values().forEach(nodes -> nodes.readFree(taken));
    }
  }

  /**
   * Returns true if more than the room that has grown may help a job. Where queues are in a tree
   * that is so if others may have to leave for it; else it may use what is free, and what it may
   * pre-empt of its own queue.
   */
  private boolean mayBeHelpedAnywhere(JobEntry job) {
    return helpAnywhere || table.quotas().dependsOnOthers(job);
  }

  /** Returns false if the largest amounts on any node that grew hold no task of the job. */
  private boolean mayHoldAny(JobEntry job) {
    return mayBeHelpedAnywhere(job)
        || changes.hasRelearned()
        || !changes.newCoRunners(job).isEmpty()
        || grownFor(job).mayHold(job.leastTask());
  }

  /**
   * Takes in what grew for a class, of which this is the first job; false if that is too little.
   */
  private boolean helps(JobEntry job) {
    MissingTasks shortage = job.shortage();
    if (mayBeHelpedAnywhere(job)) {
      countBesideOthers(job);
      return changes.hasGrownFor(job);
    }
    if (table.quotas().excess(job).isPresent()) {
      // Nobody counts on its behalf what grows until its queue may hold it.
      shortage.clear();
      shortage.exceed(true);
      return false;
    }
    return shortage.task(job) == null ? mayHelp(job) : !stillLacks(job, shortage);
  }

  /**
   * Takes in what grew for a job that others may make room for, so that it stays known what it
   * lacks if none of them leave; nothing is known if anything but room decides.
   */
  private void countBesideOthers(JobEntry job) {
    MissingTasks shortage = job.shortage();
    if (helpAnywhere || !table.quotas().mayReclaim(job)) {
      shortage.clear();
    } else {
      stillLacks(job, shortage);
    }
  }

  /** Takes in what grew for a job that lacks room for tasks, and returns whether it still does. */
  private boolean stillLacks(JobEntry job, MissingTasks shortage) {
    long since = shortage.since(job);
    if (since < changes.firstGrowth() && !table.policy().allowsBypass()) {
      // Only the head of the queue was asked at the events since.
      shortage.clear();
    }
    @Nullable TaskShape task = shortage.task(job);
    if (task == null) {
      return false;
    }
    int missing = shortage.missing();
    int more =
        grownFor(job).moreTasks(job.job(), job.leastTask(), task, job.rank(), since, missing);
    shortage.reduce(more, changes.nextGrowth());
    return shortage.missing() > 0;
  }

  /**
   * Returns true if it is known, without looking at the whole cluster, that a job lacks room unless
   * jobs of other queues leave.
   */
  boolean isKnownToLack(JobEntry job) {
    return isCounted(job) && stillLacks(job, job.shortage());
  }

  /** Returns true if it is noted how much room a job lacks unless jobs of other queues leave. */
  private boolean isCounted(JobEntry job) {
    return job.job().sharing() instanceof Sharing.Exclusive
        && (!mayBeHelpedAnywhere(job) || (!helpAnywhere && table.quotas().mayReclaim(job)));
  }

  /**
   * Returns true if the whole cluster, as it is now, has too little room for some role of a job.
   * Where jobs of other queues may have to leave, it is noted what the job lacks if none do.
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
        known -> shortage.lack(known.role(), known.missing(), job.rank(), changes.nextGrowth()));
    return lack.isPresent() && !dependsOnOthers;
  }

  /** Notes that a job was tried and did not fit. */
  void failed(JobEntry job) {
    if (!mayBeHelpedAnywhere(job) && job.shortage().task(job) == null) {
      job.shortage().failed(job.rank(), changes.nextGrowth());
    }
  }

  /** Returns false if nothing that grew can help a job that failed before. */
  boolean mayHelp(JobEntry job) {
    if (!changes.hasGrownFor(job)) {
      return false;
    }
    boolean shares = !(job.job().sharing() instanceof Sharing.Exclusive);
    if (mayBeHelpedAnywhere(job) || (changes.hasRelearned() && shares)) {
      return true;
    }
    List<TaskShape> tasks = job.placementClass().tasks();
    long since = job.shortage().since(job);
    boolean mayHold = grownFor(job).mayHold(job.job(), job.leastTask(), tasks, job.rank(), since);
    return shares ? (mayHold && mayUseGrown(job)) || mayUseLearned(job) : mayHold;
  }

  /** Returns true if those who are on the nodes that grew let the job come beside them. */
  private boolean mayUseGrown(JobEntry job) {
    return table.policy().preempts() || mayUse(job, grownGpus());
  }

  /** Returns true if the job may come beside others because of what was learned of them. */
  private boolean mayUseLearned(JobEntry job) {
    Set<CoRunnerKind> others = changes.newCoRunners(job);
    return !others.isEmpty() && (table.policy().preempts() || mayUse(job, gpusOf(others)));
  }

  private BitSet gpusOf(Set<CoRunnerKind> kinds) {
    @Nullable Map<CoRunnerKind, BitSet> known = gpusOf;
    if (known == null) {
      known = table.cluster().shared().gpusOf(changes.newCoRunners());
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
      changes.grownNodes().stream()
          .forEach(node -> gpus.set(topology.gpusBefore(node), topology.gpusBefore(node + 1)));
      grownGpus = gpus;
      known = gpus;
    }
    return known;
  }

  /** Notes that jobs were pre-empted, which helps jobs of this rank and higher ones. */
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

  /** Returns what is free on the nodes that grew, and what a queue holds there itself. */
  private GrownNodes grownForQueueOf(JobEntry job) {
    GrownNodes known = grown();
    return grownForQueue.getOrDefault(job.account(), known);
  }

  /** Returns what is free on the nodes that grew, and what there may be taken from whom. */
  private GrownNodes grown() {
    @Nullable GrownNodes known = grown;
    if (known == null) {
      BitSet up = onlyUp(changes.grownNodes());
      GrownNodes all = new GrownNodes(index(), up, changes.growths(), changes.firstGrowth());
      growthsTakenIn = changes.nextGrowth();
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
   * Takes in what has grown since jobs were pre-empted, where queues are in a tree. Of queues whose
   * jobs are, or were, on nodes that grew it is found out anew what these would leave.
   */
  private void takeInGrowths(GrownNodes known) {
    int old = Math.toIntExact(growthsTakenIn - changes.firstGrowth());
    List<Growth> since = changes.growths().subList(old, changes.growths().size());
    BitSet nodes = new BitSet();
    since.forEach(growth -> growth.capacity().addTo(nodes));
    BitSet up = onlyUp(nodes);
    known.growOn(up, since, growthsTakenIn);
    growthsTakenIn = changes.nextGrowth();
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
