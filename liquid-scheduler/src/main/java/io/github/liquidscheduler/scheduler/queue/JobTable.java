package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.ended.EndedJobs;
import io.github.liquidscheduler.scheduler.moves.RecentMoves;
import io.github.liquidscheduler.scheduler.policy.GpuTime;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.QueueOrder;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.resize.Resizing;
import io.github.liquidscheduler.scheduler.speed.GpuEquivalents;
import io.github.liquidscheduler.scheduler.speed.JobSpeeds;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.SizeSpeed;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Every waiting, running and remembered job, and the steps from one to the other. Each step keeps
 * queue, cluster and reviews in agreement.
 *
 * <p>Of the waiting jobs only the eligible ones are tried. Without a batch window all are; with
 * one, jobs that come to wait are parked until there is a plan for them.
 */
public final class JobTable {

  // Where the policy does not order queues, all jobs stand in one.
  private static final QueueName EVERY_QUEUE = QueueName.of("every queue");

  private final ClusterState cluster;
  private final Ranking ranking;
  private final PreemptionRules rules;
  private final @Nullable JobSpeeds speeds;
  private final Map<QueueName, JobQueue> queues = new HashMap<>();
  private LiveJobs live = new LiveJobs();
  private final WaitingJobs waiting = new WaitingJobs();
  private final DelayedJobs delayed = new DelayedJobs();
  private final StoppingJobs stopping = new StoppingJobs();
  private final RunningJobs running;
  private final ElasticJobs elastic;
  private final EndedJobs ended;
  private final RetryState changes = new RetryState();
  private final Quotas quotas;
  private final BatchedJobs batched = new BatchedJobs();
  private final boolean batches;
  private final WaitingJobs eligible;
  private final Savepoint savepoint = new Savepoint();
  private Instant now = Instant.MIN;
  private long submissions;
  private RecentMoves moves = RecentMoves.NONE;
  private RecentMoves movesBefore = RecentMoves.NONE;
  private Instant lastTurn = Instant.MIN;

  /**
   * Makes a table without jobs.
   *
   * @param rules what protects running jobs, and how they stop
   * @param speeds how fast jobs are on each GPU model; null if as fast on all
   * @param coolDown how long a job keeps its size; null if no size is ever changed
   * @param mostEnded how many ended jobs are remembered
   * @param batches whether jobs are parked for a batch plan
   */
  public JobTable(
      ClusterState cluster,
      SchedulingPolicy policy,
      PreemptionRules rules,
      @Nullable JobSpeeds speeds,
      @Nullable Duration coolDown,
      int mostEnded,
      boolean batches) {
    this(cluster, policy, rules, speeds, coolDown, new EndedJobs(mostEnded), batches);
  }

  private JobTable(
      ClusterState cluster,
      SchedulingPolicy policy,
      PreemptionRules rules,
      @Nullable JobSpeeds speeds,
      @Nullable Duration coolDown,
      EndedJobs ended,
      boolean batches) {
    this.cluster = cluster;
    ranking = new Ranking(policy);
    this.rules = rules;
    this.speeds = speeds;
    this.ended = ended;
    this.batches = batches;
    eligible = batches ? new WaitingJobs() : waiting;
    running = new RunningJobs(policy.preempts(), rules);
    elastic = new ElasticJobs(coolDown);
    quotas = new Quotas(coolDown != null);
  }

  /**
   * Returns a table equal to this one, with a cluster of its own, that goes its own way from here;
   * O(nodes + jobs), whatever has ended. Not to be called while an event is taken.
   */
  public JobTable copy() {
    JobTable copy =
        new JobTable(
            cluster.copy(), policy(), rules, speeds, elastic.coolDown(), ended.copy(), batches);
    copy.restoreClock(now, submissions);
    quotas.tree().ifPresent(copy::openQueues);
    copy.adoptAllOf(this);
    copy.batched.restore(batched.requests(), batched.phase());
    @Nullable JobEntry blocked = changes.blocked();
    copy.changes.block(blocked == null ? null : copy.find(blocked.id()));
    if (changes.isOpen()) {
      copy.changes.copyFrom(changes, job -> job == null ? null : copy.find(job.id()));
    }
    copy.restoreElastic(knownOfElastic());
    if (quotas.hasQueueTree()) {
      if (!changes.isOpen()) {
        copy.changes.settle();
      }
      copy.changes.countGrowthsFrom(changes.firstGrowth());
      copy.waiting.byClass().copyShortages(waiting.byClass());
    }
    copy.quotas.copyFrom(quotas, copy.live::copyOf);
    if (quotas.hasQueueTree()) {
      copy.eligible.byClass().copyQuiet(eligible.byClass(), copy::sameQueue);
    }
    copy.moves = moves;
    return copy;
  }

  private JobQueue sameQueue(JobQueue other) {
    return Objects.requireNonNull(queues.get(other.name()));
  }

  /** Has copies of the jobs of another table, in the same orders; what queues hold comes later. */
  private void adoptAllOf(JobTable other) {
    live = other.live.forCopies();
    List<JobQueue> twins = new ArrayList<>(other.queues.size());
    for (JobQueue queue : other.queues.values()) {
      queue.number(twins.size());
      JobQueue twin = queue.copy(quotas.account(queue.name()));
      queues.put(twin.name(), twin);
      twins.add(twin);
    }
    UnaryOperator<JobQueue> own = queue -> twins.get(queue.number());
    for (JobEntry job : other.running.inOrder()) {
      // Whoever copies may ask when all of them end, again and again.
      job.findEnd();
      JobEntry twin = adoptCopy(job, own, null);
      elastic.enqueue(twin);
    }
    running.copyFrom(other.running, live::copyOf);
    other
        .live
        .all()
        .filter(job -> !job.isRunning())
        .forEach(
            job -> {
              JobEntry twin = adoptCopy(job, own, other.batched.stage(job));
              if (job.delayedUntil() != null) {
                delayed.add(twin);
              }
            });
    waiting.copyFrom(other.waiting, live::copyOf, own);
    if (batches) {
      eligible.copyFrom(other.eligible, live::copyOf, own);
    }
  }

  private JobEntry adoptCopy(
      JobEntry job, UnaryOperator<JobQueue> own, BatchedJobs.@Nullable Membership membership) {
    JobEntry twin = job.copyWithCharge();
    live.addCopy(twin, job);
    settleIn(twin, own.apply(job.queue()), membership);
    ranking.add(twin);
    return twin;
  }

  private JobTable emptyWith(ClusterState other, EndedJobs over, Optional<QueueTree> tree) {
    JobTable empty =
        new JobTable(other, policy(), rules, speeds, elastic.coolDown(), over, batches);
    tree.ifPresent(empty::changeQueues);
    return empty;
  }

  /** Begins a turn, to the state before which {@link #asBefore} goes back. */
  public void begin() {
    savepoint.begin(this);
    movesBefore = moves;
    lastTurn = now;
  }

  /** Returns when the turn before was. */
  public Instant lastTurn() {
    return lastTurn;
  }

  /** Returns true if no time has passed since the turn before, and no job has come or changed. */
  public boolean isUnchangedSinceLastTurn() {
    return now.equals(lastTurn) && savepoint.isUntouched();
  }

  /** Ends a turn: what was before it is forgotten. */
  public void settle() {
    ended.settle();
    arrangeQueues();
  }

  /**
   * Returns a table as this one was when the turn began, whatever the turn has done, and has to be
   * used instead of it; O(nodes + jobs).
   *
   * @param empty the cluster as it was, but with nothing running and every node up
   */
  public JobTable asBefore(ClusterState empty) {
    JobTable then = emptyWith(empty, ended.asOf(savepoint.ended()), savepoint.tree());
    savepoint.restore(this, then);
    then.moves = movesBefore;
    return then;
  }

  void restoreRunning(JobEntry job) {
    take(job);
    adopt(job, null);
  }

  void restoreWaiting(JobEntry job, BatchedJobs.@Nullable Membership membership) {
    adopt(job, membership);
  }

  /** Returns the cluster, in which every running job has its placement. */
  public ClusterState cluster() {
    return cluster;
  }

  /** Returns the policy that ranks the jobs. */
  public SchedulingPolicy policy() {
    return ranking.policy();
  }

  /** Returns which running jobs were moved for others. */
  public RecentMoves moves() {
    return moves;
  }

  /** Remembers which running jobs were moved for others. */
  public void remember(RecentMoves known) {
    moves = known;
  }

  /** Returns what protects running jobs, and how they stop and move. */
  public PreemptionRules preemption() {
    return rules;
  }

  /** Returns the waiting jobs, but for those {@link #delayed}. */
  public WaitingJobs waiting() {
    return waiting;
  }

  /** Returns the jobs that wait for a time to come before they are tried again. */
  public DelayedJobs delayed() {
    return delayed;
  }

  /** Returns what pre-empted jobs still hold in their grace periods. */
  public StoppingJobs stopping() {
    return stopping;
  }

  /**
   * Returns all waiting jobs in the order of their turns, those {@link #delayed} last, as a copy.
   */
  public List<JobEntry> allWaiting() {
    List<JobEntry> all = waiting.inOrder();
    all.addAll(delayed.inOrder());
    return all;
  }

  /** Returns the waiting jobs that may be tried. */
  public WaitingJobs eligible() {
    return eligible;
  }

  /** Returns the others, parked for a batch plan. */
  public BatchedJobs batched() {
    return batched;
  }

  /** Returns the jobs that have a placement; all others in the table wait. */
  public RunningJobs running() {
    return running;
  }

  /** Returns those of them whose sizes may be changed; none if sizes never are. */
  public ElasticJobs elastic() {
    return elastic;
  }

  ElasticJobs.Known knownOfElastic() {
    return elastic.known(changes.nextGrowth());
  }

  void restoreElastic(ElasticJobs.Known known) {
    elastic.restore(known, changes.nextGrowth());
  }

  /** Saves what is known of jobs that may change their sizes, besides each by itself. */
  public void saveElastic(SnapshotSection.Builder section) {
    knownOfElastic().save(section);
  }

  /** Brings back what {@link #saveElastic} has written. */
  public void loadElastic(SnapshotSection.Reader in) {
    restoreElastic(ElasticJobs.Known.load(in));
  }

  /** Returns the jobs that are over and still remembered. */
  public EndedJobs ended() {
    return ended;
  }

  /**
   * Returns the time of the event that is applied, or was last; {@link Instant#MIN} before the
   * first.
   */
  public Instant now() {
    return now;
  }

  /** Returns how many jobs have been submitted so far, rejected ones included. */
  public long submissions() {
    return submissions;
  }

  /** Returns the waiting or running job, or null if there is none of that id. */
  public @Nullable JobEntry find(JobId job) {
    return live.find(job);
  }

  /** Returns the waiting or running job {@code job}. There is one. */
  public JobEntry get(JobId job) {
    return Objects.requireNonNull(live.find(job));
  }

  /** Returns what the queues hold and may hold. */
  public Quotas quotas() {
    return quotas;
  }

  /** Has the queues stand in the order in which they are served now. */
  public void arrangeQueues() {
    quotas.arrange(queues, eligible);
  }

  /**
   * Checks that all jobs may stand in the queues of a tree.
   *
   * @throws IllegalArgumentException if one is in no leaf of it
   */
  public void requireQueues(QueueTree tree) {
    live.all()
        .sorted(Comparator.comparingLong(JobEntry::sequence))
        .forEach(job -> Quotas.requireQueue(tree, job.job()));
  }

  /** Returns true if jobs change their sizes while they run. */
  public boolean changesSizes() {
    return elastic.coolDown() != null;
  }

  /** Has the jobs stand in the queues of a tree from now on, in which all of them may stand. */
  public void changeQueues(QueueTree tree) {
    List<JobEntry> all = running.inOrder();
    all.addAll(allWaiting());
    all.forEach(this::takeFromQueue);
    queues.clear();
    openQueues(tree);
    all.forEach(this::putIntoQueue);
    measureQueues();
    changes.relearn();
  }

  private void openQueues(QueueTree tree) {
    quotas.begin(tree, now);
    running.groupByQueue();
  }

  private void takeFromQueue(JobEntry job) {
    dequeue(job);
    if (job.isRunning()) {
      job.queue().countRunning(-1, -RunningJobs.gpus(job));
    }
  }

  private void putIntoQueue(JobEntry job) {
    job.enter(queueOf(job.job()));
    if (job.isRunning()) {
      job.queue().countRunning(1, RunningJobs.gpus(job));
      quotas.hold(job, cluster.topology());
    }
    enqueue(job);
  }

  /** Takes in what there is in the cluster for the queues to share. */
  public void measureQueues() {
    quotas.measure(cluster);
    quotas.reorder();
  }

  /**
   * Takes in the same after something has happened to one node, which is where it was. Only the
   * jobs that are there may leave it to another use than before.
   */
  public void measureQueues(NodeId node) {
    quotas.measure(cluster);
    if (quotas.hasQueueTree()) {
      running.forEachOn(node, job -> job.account().noteChange());
    }
  }

  /** Returns what this event has changed so far. */
  public RetryState changes() {
    return changes;
  }

  /** Notes that there is more room for all on a node. */
  public void growOn(NodeId node) {
    growOn(node, Long.MIN_VALUE);
  }

  /** Notes that there is more room on a node for all of this rank and higher ones. */
  public void growOn(NodeId node, long rank) {
    ClusterTopology topology = cluster.topology();
    changes.growFrom(rank, NodeSet.all(topology, topology.position(node)));
  }

  /** Notes that nobody has been tried on this cluster yet. */
  public void growEverywhere() {
    cluster.topology().nodes().forEach(node -> growOn(node.id()));
    changes.relearn();
  }

  /** Notes that nodes have other positions now, so that it is lost where room has grown. */
  public void renumberNodes() {
    running.renumberNodes(cluster.topology());
    if (changes.isOpen()) {
      changes.forgetGrowths();
      growEverywhere();
    }
  }

  /** Notes that any jobs that share GPUs may fit beside others than before. */
  public void relearn() {
    changes.relearn();
  }

  /** Notes that waiting jobs of a kind are now admitted beside others that run. */
  public void admitBeside(CoRunnerKind waiting, Set<CoRunnerKind> residents) {
    changes.admitBeside(waiting, residents);
  }

  /** Returns the rank of running jobs above which a waiting job may pre-empt one, if any. */
  public long preemptsAbove(JobEntry job) {
    return policy().isRemainingTime()
        ? GpuTime.cappedSum(job.rank(), GpuTime.nanos(now))
        : job.rank();
  }

  /** Sets the clock to the time of an event, which is not before that of the last one. */
  public void advance(Instant now) {
    this.now = now;
    quotas.advance(now);
  }

  /** Sets the clock and the count of submissions as they were recorded. */
  public void restoreClock(Instant now, long submissions) {
    this.now = now;
    this.submissions = submissions;
    running.endProtectionAt(now);
    elastic.coolAt(now);
  }

  /** Adds a new job of this class, which waits. No other of its id waits or runs. */
  public void submit(JobSpec job, PlacementClass placementClass) {
    savepoint.saveAbsence(job.id());
    JobEntry entry = new JobEntry(job, placementClass, submissions++, now);
    live.add(entry);
    entry.enter(queueOf(job));
    arrive(entry);
  }

  /** Has a waiting job ask for something else, as if it came to wait only now. */
  public void update(JobEntry entry, JobSpec job) {
    saveBefore(entry);
    dequeue(entry);
    clearDelay(entry);
    batched.remove(entry);
    forgetIfEmpty(entry.queue());
    entry.update(job);
    entry.enter(queueOf(job));
    arrive(entry);
  }

  /** Ends a job that never entered the queue. */
  public void reject(JobId job) {
    submissions++;
    ended.add(job, Outcome.REJECTED);
  }

  /**
   * Starts a waiting job, which takes its placement in the cluster.
   *
   * @throws IllegalStateException if the placement does not fit the cluster as it stands
   */
  public void start(JobEntry job, Placement placement) {
    saveBefore(job);
    dequeue(job);
    changes.fresh().remove(job);
    cluster.apply(job.job(), placement);
    job.start(placement, now);
    notePace(job);
    addRunning(job);
    enter(job);
  }

  /**
   * Pre-empts a running job, which then waits. What it holds is free at once; if it has a grace
   * period, it is not tried before that is over or it has {@linkplain #stopped stopped}.
   */
  public void preempt(JobEntry job) {
    Placement held = job.held();
    evict(job);
    if (!rules.gracePeriod().isZero()) {
      job.setStopping(held);
      stopping.add(held);
      delay(job, rules.gracePeriod());
    }
  }

  /** Pre-empts a running job at once, whatever grace period there is. */
  public void evict(JobEntry job) {
    leave(job);
    job.countPreemption();
    job.stop(now, true);
    arrive(job);
  }

  /** Notes that a pre-empted job has stopped; it may be tried from now on. */
  public void stopped(JobEntry job) {
    saveBefore(job);
    dequeue(job);
    clearDelay(job);
    arrive(job);
  }

  /** Notes that so many more jobs, 0 or more, have bypassed a waiting one. */
  public void countBypass(JobEntry job, int jobs) {
    saveBefore(job);
    job.countBypass(jobs);
  }

  /**
   * Stops a running job that failed, which then waits.
   *
   * @param hasRun whether its time counts
   * @param reset a run that lasts longer begins a new row of failures
   */
  public void fail(JobEntry job, boolean hasRun, Duration reset) {
    saveBefore(job);
    Duration run = hasRun ? Duration.between(job.since(), now) : Duration.ZERO;
    job.countFailure(run, reset);
    stop(job, hasRun);
  }

  private void stop(JobEntry job, boolean hasRun) {
    leave(job);
    job.stop(now, hasRun);
    arrive(job);
  }

  private void leave(JobEntry job) {
    saveBefore(job);
    releaseLeaving(job);
    release(job);
    dequeue(job);
    removeRunning(job);
  }

  /** Ends what holds a waiting job, which is in no collection. */
  private void clearDelay(JobEntry job) {
    job.delayUntil(null);
    job.stopping().ifPresent(stopping::remove);
    job.setStopping(null);
  }

  private void releaseLeaving(JobEntry job) {
    job.resizing().flatMap(Resizing::leaving).ifPresent(stopping::remove);
  }

  /** Keeps a waiting job from being tried for a time. */
  public void delay(JobEntry job, Duration time) {
    if (time.isZero()) {
      return;
    }
    saveBefore(job);
    dequeue(job);
    batched.remove(job);
    changes.fresh().remove(job);
    boolean ends = time.compareTo(Duration.between(now, Instant.MAX)) < 0;
    job.delayUntil(ends ? now.plus(time) : Instant.MAX);
    enqueue(job);
  }

  /** Has a waiting job keep off nodes from now on. */
  public void exclude(JobEntry job, JobSpec elsewhere) {
    saveBefore(job);
    dequeue(job);
    job.become(elsewhere);
    enqueue(job);
  }

  /** Lets the waiting jobs be tried again whose time has come. */
  public void releaseDelayed() {
    for (JobEntry job = delayed.due(now); job != null; job = delayed.due(now)) {
      stopped(job);
    }
  }

  /** Lets the running jobs be pre-empted that have run long enough. */
  public void endProtection() {
    running.endProtectionAt(now);
    for (JobEntry job = running.unprotected(); job != null; job = running.unprotected()) {
      running.dequeue(job);
      running.enqueue(job, now);
      quotas.reorder();
      changes.growFrom(Long.MIN_VALUE, job.nodes(cluster.topology()));
    }
  }

  /** Lets the jobs change their sizes that have kept them long enough. */
  public void endCoolDowns() {
    elastic.coolAt(now);
    for (JobEntry job = elastic.cooled(); job != null; job = elastic.cooled()) {
      changes.growFrom(Long.MIN_VALUE, job.nodes(cluster.topology()));
    }
  }

  /**
   * Returns true if more jobs wait than {@code limit}. They are counted when an event has made room
   * or brought somebody who waits; where they become too many, running jobs may give up more.
   */
  public boolean judgeWaiting(int limit) {
    if (changes.hasGrown() || !changes.fresh().isEmpty()) {
      boolean many = waiting().size() > limit;
      if (many && !elastic.manyWait()) {
        elastic.all().forEach(this::growWhereItRuns);
      }
      elastic.noteManyWait(many);
    }
    return elastic.manyWait();
  }

  private void growWhereItRuns(JobEntry job) {
    changes.growFrom(Long.MIN_VALUE, job.nodes(cluster.topology()));
  }

  /** Lets a parked job be tried. */
  public void makeEligible(JobEntry job) {
    saveBefore(job);
    dequeue(job);
    batched.remove(job);
    enqueue(job);
    changes.fresh().add(job);
  }

  /** Keeps a waiting job from being tried until it is made eligible again. */
  public void park(JobEntry job, BatchedJobs.Membership stage) {
    saveBefore(job);
    dequeue(job);
    batched.put(job, stage);
    enqueue(job);
    changes.fresh().remove(job);
  }

  /** Moves a running job, which goes on elsewhere. */
  public void move(JobEntry job, Placement placement) {
    saveBefore(job);
    release(job);
    dequeue(job);
    removeRunning(job);
    cluster.apply(job.job(), placement);
    job.move(placement);
    notePace(job);
    addRunning(job);
    enter(job);
  }

  /** Notes how fast a job is where it runs now, and what it counts as there. */
  private void notePace(JobEntry job) {
    job.countAs(GpuEquivalents.of(job.placement().orElseThrow(), cluster.topology()), now);
    if (speeds != null) {
      ClusterTopology topology = cluster.topology();
      Placement placement = job.placement().orElseThrow();
      double speed = speeds.at(job.job(), job.gpuSpeeds(), placement, topology);
      job.runAt(speed, speed / speeds.mean(job.job(), job.gpuSpeeds(), topology), now);
    }
  }

  /** Returns how fast jobs are on each GPU model; empty if as fast on all. */
  public Optional<JobSpeeds> speeds() {
    return Optional.ofNullable(speeds);
  }

  /**
   * Has a running job change its size, which goes on where it is until it has switched. What it
   * will not have then is free at once, as with a job that is being stopped.
   */
  public void resize(JobEntry job, Placement to) {
    replace(job, to, () -> job.resize(to, now));
    job.resizing()
        .flatMap(Resizing::leaving)
        .ifPresent(left -> changes.growFrom(Long.MIN_VALUE, new NodeSet(left, cluster.topology())));
  }

  /** Has a running job measure how fast it is at some of its sizes; it keeps its size meanwhile. */
  public void profile(JobEntry job) {
    saveBefore(job);
    job.beginProfile(now);
  }

  /**
   * Notes how fast a running job reports to be, beside what was measured.
   *
   * @param most by how much a report may differ
   * @param expected the speed at each size without having seen any
   */
  public void watchSpeed(
      JobEntry job, double iterationsPerSecond, double most, IntToDoubleFunction expected) {
    saveBefore(job);
    job.drift(job.drift().after(job.size(), iterationsPerSecond, most, expected));
  }

  /** Notes what a job has measured. */
  public void profiled(JobEntry job, List<SizeSpeed> speeds) {
    saveBefore(job);
    job.endProfile(speeds);
    changes.growFrom(Long.MIN_VALUE, job.nodes(cluster.topology()));
  }

  /** Notes that a job is about to switch to its new size, and will not go back. */
  public void readyToResize(JobEntry job) {
    saveBefore(job);
    job.readyToResize();
  }

  /** Notes that a job has switched to its new size. */
  public void resized(JobEntry job) {
    Placement at = job.placement().orElseThrow();
    replace(job, at, () -> job.endResize(at, now));
  }

  /** Notes that a job that was to get larger runs as before. */
  public void resizeFailed(JobEntry job) {
    Placement before = job.resizing().orElseThrow().running();
    NodeSet held = job.nodes(cluster.topology());
    replace(job, before, () -> job.endResize(before, now));
    changes.growFrom(Long.MIN_VALUE, held);
  }

  private void replace(JobEntry job, Placement to, Runnable change) {
    saveBefore(job);
    dequeue(job);
    releaseLeaving(job);
    removeRunning(job);
    cluster.resize(job.job(), to);
    change.run();
    addRunning(job);
    job.resizing().flatMap(Resizing::leaving).ifPresent(stopping::add);
    enter(job);
  }

  /** Ends a waiting or running job. */
  public void end(JobEntry job, Outcome how) {
    if (job.isRunning()) {
      savepoint.saveEnding(job, batched.stage(job));
      releaseLeaving(job);
      release(job);
      removeRunning(job);
      dequeue(job);
    } else {
      saveBefore(job);
      dequeue(job);
      clearDelay(job);
    }
    batched.remove(job);
    changes.fresh().remove(job);
    forgetIfEmpty(job.queue());
    live.remove(job);
    ended.add(job.id(), how);
  }

  /** Notes what a running job reports of its remaining time, and has the policy rank it anew. */
  public void progress(JobEntry job, Progress progress) {
    saveBefore(job);
    long before = ranking.last(job, now);
    job.progress(progress, now);
    if (speeds != null && !job.job().parallelism().isElastic()) {
      Placement placement = job.placement().orElseThrow();
      job.see(speeds.seen(job.gpuSpeeds(), progress, placement, cluster.topology()));
    }
    reconsider(job, before);
  }

  /** Has the policy look at every job whose review is due. */
  public void review() {
    for (JobEntry job = ranking.due(now); job != null; job = ranking.due(now)) {
      reconsider(job, ranking.last(job, now));
    }
  }

  /** Returns when the next review is due. */
  public Optional<Instant> nextReview() {
    return nextReview(List.of());
  }

  /** Returns when the next review is due, or the earliest of other times that comes before. */
  public Optional<Instant> nextReview(List<Optional<Instant>> others) {
    Optional<Instant> earliest = Ranking.earlier(ranking.next(), delayed.next());
    earliest = Ranking.earlier(earliest, running.nextUnprotected());
    earliest = Ranking.earlier(earliest, elastic.next());
    for (Optional<Instant> other : others) {
      earliest = Ranking.earlier(earliest, other);
    }
    return earliest;
  }

  /** Puts a saved job where it was; a running job's placement is taken in the cluster. */
  public void restore(JobEntry job) {
    take(job);
    ranking.rank(job, job.policyState(), now);
    boolean parked = batches && !job.isRunning() && job.delayedUntil() == null;
    adopt(job, parked ? BatchedJobs.Membership.LEFT_OVER : null);
  }

  private void adopt(JobEntry job, BatchedJobs.@Nullable Membership membership) {
    live.add(job);
    settleIn(job, queueOf(job.job()), membership);
    if (job.isRunning()) {
      addRunning(job);
    }
    enqueue(job);
  }

  private void settleIn(JobEntry job, JobQueue queue, BatchedJobs.@Nullable Membership membership) {
    job.enter(queue);
    if (membership != null) {
      batched.put(job, membership);
    }
    job.stopping().ifPresent(stopping::add);
    job.resizing().flatMap(Resizing::leaving).ifPresent(stopping::add);
  }

  private void take(JobEntry job) {
    try {
      job.placement().ifPresent(placement -> cluster.apply(job.job(), placement));
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(
          "a snapshot's running jobs must fit the cluster, but job '" + job.id() + "' does not", e);
    }
  }

  /** Asks the policy anew about a job, of rank {@code before}, to which something has happened. */
  private void reconsider(JobEntry job, long before) {
    saveBefore(job);
    dequeue(job);
    int level = job.policyState().level();
    enter(job);
    if (job.isRunning() && ranking.last(job, now) != before) {
      quotas.reorder();
    }
    if (!job.isRunning() && job.rank() != before) {
      tryNext(job);
    } else if (elastic.contains(job) && job.policyState().level() != level) {
      growWhereItRuns(job);
    } else if (job.isRunning() && running.mayBePreempted(job) && ranking.last(job, now) > before) {
      changes.growFrom(
          quotas.hasQueueTree() ? Long.MIN_VALUE : before, job.nodes(cluster.topology()));
    }
  }

  private void saveBefore(JobEntry job) {
    savepoint.saveBefore(job, batched.stage(job));
  }

  private void release(JobEntry job) {
    Placement placement = job.placement().orElseThrow();
    changes.growFrom(lowestToGainBy(job), placement, cluster.topology());
    cluster.release(job.id());
  }

  /** Returns the lowest rank for which the end of a running job makes room that was not there. */
  private long lowestToGainBy(JobEntry job) {
    boolean wasThere = running.mayBePreempted(job) && !quotas.hasQueueTree();
    return wasThere ? ranking.last(job, now) : Long.MIN_VALUE;
  }

  private void arrive(JobEntry job) {
    if (batches) {
      batched.put(job, BatchedJobs.Membership.ENTERED);
    }
    enter(job);
    tryNext(job);
  }

  /**
   * Has a waiting job be tried next, unless it waits for a plan or for a time to come; returns
   * whether it is.
   */
  public boolean tryNext(JobEntry job) {
    boolean mayBeTried = !batched.contains(job) && job.delayedUntil() == null;
    if (mayBeTried) {
      changes.fresh().add(job);
    } else {
      // An event may have left it to this one to try it before it began to wait for that.
      changes.fresh().remove(job);
    }
    return mayBeTried;
  }

  private void enter(JobEntry job) {
    ranking.rank(job, now);
    enqueue(job);
  }

  private JobQueue queueOf(JobSpec job) {
    @Nullable QueueOrder order = policy().queueOrder().orElse(null);
    QueueName name = order == null && !quotas.hasQueueTree() ? EVERY_QUEUE : job.queue();
    return queues.computeIfAbsent(name, each -> new JobQueue(each, order, quotas.account(each)));
  }

  private void addRunning(JobEntry job) {
    running.add(job);
    quotas.hold(job, cluster.topology());
  }

  private void removeRunning(JobEntry job) {
    running.remove(job);
    quotas.release(job);
  }

  private void countWaiting(JobEntry job) {
    job.queue().countWaiting(1);
    quotas.await(job);
  }

  private void countWaitingNoMore(JobEntry job) {
    job.queue().countWaiting(-1);
    quotas.awaitNoMore(job);
  }

  private void forgetIfEmpty(JobQueue queue) {
    if (queue.isEmpty()) {
      queues.remove(queue.name());
    }
  }

  private void enqueue(JobEntry job) {
    if (job.isRunning()) {
      running.enqueue(job, now);
      elastic.enqueue(job);
    } else {
      addWaiting(job);
      countWaiting(job);
    }
    ranking.add(job);
  }

  private void addWaiting(JobEntry job) {
    if (job.delayedUntil() != null) {
      delayed.add(job);
      return;
    }
    waiting.add(job);
    if (isEligibleApart(job)) {
      eligible.add(job);
    }
  }

  private void dequeue(JobEntry job) {
    if (job.isRunning()) {
      running.dequeue(job);
      elastic.dequeue(job);
    } else if (job.delayedUntil() != null) {
      delayed.remove(job);
      countWaitingNoMore(job);
    } else {
      waiting.remove(job);
      countWaitingNoMore(job);
      if (isEligibleApart(job)) {
        eligible.remove(job);
      }
    }
    ranking.remove(job);
  }

  /** Returns true if jobs are parked for a batch plan. */
  public boolean isBatched() {
    return batches;
  }

  /** Returns true if the eligible jobs are kept apart and the waiting job is one of them. */
  private boolean isEligibleApart(JobEntry job) {
    return batches && !batched.contains(job);
  }
}
