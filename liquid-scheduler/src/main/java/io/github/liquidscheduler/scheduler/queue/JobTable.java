package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.ended.EndedJobs;
import io.github.liquidscheduler.scheduler.moves.RecentMoves;
import io.github.liquidscheduler.scheduler.phase.JobPhase;
import io.github.liquidscheduler.scheduler.phase.ResizedTasks;
import io.github.liquidscheduler.scheduler.policy.GpuTime;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.QueueOrder;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.speed.GpuEquivalents;
import io.github.liquidscheduler.scheduler.speed.JobSpeeds;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.SizeSpeed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a job is waiting, delayed, parked, running or ended, and each transition is one method
 * that moves it between the indexes of these states, the cluster, the quotas and the reviews. The
 * policy ranks a job only when something has happened to it or its review is due.
 * Invariants: every live job is in exactly one state; a job leaves its ordered collections before
 * its rank changes (dequeue) and enters them afterwards (enqueue); before its first change after a
 * mark the mark has its before-image, and every order is a function of keys that images hold, so
 * that a rollback takes the changed jobs out, wherever a failure has left them, and puts them back
 * as they were. SchedulerLaws and JobTableTest check states, copies and rollbacks.
 * Cost: a transition O(log jobs + tasks + jobs on its nodes + depth of the queue tree); a mark O(1)
 * unless an unfinished pass is saved; a rollback as many transitions as jobs have changed; copy
 * O(nodes + jobs). EventBench and QueueBench measure all of them.
 * Rejected: an inverse of each step, since a step that fails half-way has none.
 */
/**
 * Every waiting, running and remembered job, and the transitions between these states. Each step
 * keeps queues, cluster and reviews consistent.
 *
 * <p>Only eligible waiting jobs are tried. Without a batch window all are eligible; with one, new
 * jobs are parked until a plan arrives.
 */
public final class JobTable {

  // The queue of all jobs if the policy does not order queues.
  private static final QueueName EVERY_QUEUE = QueueName.of("every queue");

  private final ClusterState cluster;
  private final Ranking ranking;
  private final PreemptionRules rules;
  private final @Nullable JobSpeeds speeds;
  private final Map<QueueName, JobQueue> queues = new HashMap<>();
  private final Map<JobId, JobEntry> live = new HashMap<>();
  private final ClassImages classes = new ClassImages();
  private final WaitingJobs waiting;
  private final DelayedJobs delayed = new DelayedJobs();
  private final StoppingJobs stopping = new StoppingJobs(this::get);
  private final RunningJobs running;
  private final ElasticJobs elastic;
  private final EndedJobs ended;
  private final Agenda agenda = new Agenda();
  private final Quotas quotas;
  private final BatchedJobs batched = new BatchedJobs();
  private final boolean batches;
  private final WaitingJobs eligible;
  // Innermost first.
  private final Deque<Savepoint> marks = new ArrayDeque<>();
  private Instant now = Instant.MIN;
  private long submissions;
  private RecentMoves moves = RecentMoves.NONE;

  /**
   * Makes an empty table.
   *
   * @param rules the protection of running jobs, and the way they stop
   * @param speeds the speeds by GPU model; null if all are equal
   * @param coolDown the time for which a job keeps its size; null if sizes never change
   * @param mostEnded the number of ended jobs remembered
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
    boolean ranksDecide = policy.preempts();
    eligible = new WaitingJobs(classes, agenda, ranksDecide);
    // What is known of classes concerns the eligible jobs only.
    waiting = batches ? new WaitingJobs(new ClassImages(), new Agenda(), ranksDecide) : eligible;
    running = new RunningJobs(policy.preempts(), rules);
    elastic = new ElasticJobs(coolDown);
    quotas = new Quotas(cluster, coolDown != null, policy.queueOrder().isPresent());
  }

  /**
   * Returns an empty table with a copy of the cluster, its placements included; of ended jobs too.
   * The jobs are still to be {@linkplain #adopt adopted}.
   */
  public JobTable emptyCopy() {
    JobTable copy =
        new JobTable(
            cluster.copy(), policy(), rules, speeds, elastic.coolDown(), ended.copy(), batches);
    copy.restoreClock(now, submissions);
    return copy;
  }

  /** Adopts copies of all jobs of another table, whose placements the cluster has already. */
  public void adoptAll(JobTable other) {
    restoreClock(other.now, other.submissions);
    other.running.inOrder().forEach(job -> adopt(job.copy(), null));
    for (JobEntry job : other.allWaiting()) {
      adopt(job.copy(), other.batched.stage(job));
    }
    restoreElastic(other.knownOfElastic());
  }

  /** Opens a mark, to which a rollback returns. Marks nest. */
  public void mark() {
    marks.push(Savepoint.of(this));
    classes.mark();
  }

  /** Ends the innermost mark; the changes since stay. */
  public void commit() {
    Savepoint done = marks.pop();
    classes.commit();
    quotas.commit(done.quotas());
    if (marks.isEmpty()) {
      ended.settle();
    } else {
      marks.element().absorb(done);
    }
  }

  /** Ends a turn: puts queues in order, for which it may ask the policy. */
  public void settle() {
    arrangeQueues();
    if (policy().queueOrder().isPresent()) {
      queues.values().forEach(JobQueue::rank);
    }
  }

  /**
   * Begins to return to the innermost mark: takes all jobs out that have arrived or changed since,
   * wherever a failure has left them. Nodes may then return to their state at the mark.
   */
  public void takeOutChanged() {
    eligible.byClass().ready().reorder();
    for (JobId id : marks.element().changed()) {
      @Nullable JobEntry job = live.get(id);
      if (job != null) {
        takeOut(job);
      }
    }
  }

  private void takeOut(JobEntry job) {
    if (job.isOrdered()) {
      dequeue(job);
    }
    if (job.isIndexed()) {
      removeRunning(job);
    }
    if (cluster.placement(job.id()).isPresent()) {
      cluster.release(job.id());
    }
    stopping.remove(job);
    batched.remove(job);
    live.remove(job.id());
    forgetIfEmpty(job.queue());
  }

  /**
   * Returns to the innermost mark and ends it, after {@link #takeOutChanged}.
   *
   * @param otherNodes whether nodes, or their health, have changed since
   */
  public void rollBack(boolean otherNodes) {
    Savepoint then = marks.pop();
    restoreClock(then.now(), then.submissions());
    ended.rollBackTo(then.ended());
    if (otherNodes) {
      running.renumberNodes(cluster.topology());
    }
    if (quotas.rollBackTree(then.quotas(), now)) {
      queues.clear();
      running.groupByQueue(quotas.hasQueueTree());
    }
    if (otherNodes || quotas.hasQueueTree()) {
      quotas.measure();
    }
    for (Savepoint.BeforeImage image : then.jobs()) {
      putBack(image.restored(), image);
    }
    batched.restore(then.requests(), then.phase());
    batched.leaveOpen(then.openPlan());
    agenda.rollBackTo(then.agenda());
    restoreElastic(then.elastic());
    moves = then.moves();
    classes.rollBack(eligible.byClass());
    quotas.rollBackTo(then.quotas());
    if (policy().queueOrder().isEmpty()) {
      arrangeQueues();
    } else {
      // A policy that orders queues is not asked, since it may be what has failed.
      eligible.byClass().ready().reorder();
    }
  }

  private void putBack(JobEntry job, Savepoint.BeforeImage image) {
    live.put(job.id(), job);
    settleIn(job, queueOf(job.job()), image.membership());
    if (job.isRunning()) {
      cluster.putBack(job.job(), job.placement().orElseThrow(), image.arrival());
      running.putBack(job);
      job.noteIndexed(true);
      quotas.hold(job);
    }
    enqueue(job);
  }

  /** Returns the time of the last turn. */
  public Instant lastTurn() {
    return marks.isEmpty() ? now : marks.element().now();
  }

  /** Returns the cluster with all placements of running jobs. */
  public ClusterState cluster() {
    return cluster;
  }

  /** Returns the policy that ranks the jobs. */
  public SchedulingPolicy policy() {
    return ranking.policy();
  }

  /** Returns the recent moves of running jobs. */
  public RecentMoves moves() {
    return moves;
  }

  /** Sets the recent moves of running jobs. */
  public void remember(RecentMoves known) {
    moves = known;
  }

  /** Returns the rules of protection, stopping and moving. */
  public PreemptionRules preemption() {
    return rules;
  }

  /** Returns the waiting jobs without the {@link #delayed} ones. */
  public WaitingJobs waiting() {
    return waiting;
  }

  /** Returns the jobs that must not be tried before a time. */
  public DelayedJobs delayed() {
    return delayed;
  }

  /** Returns the capacity that jobs are leaving, and those that wait for them. */
  public StoppingJobs stopping() {
    return stopping;
  }

  /** Returns all waiting jobs in turn order, {@link #delayed} ones last, as a copy. */
  public List<JobEntry> allWaiting() {
    List<JobEntry> all = waiting.inOrder();
    all.addAll(delayed.inOrder());
    return all;
  }

  /** Returns the waiting jobs that may be tried. */
  public WaitingJobs eligible() {
    return eligible;
  }

  /** Returns the parked jobs of the batch window. */
  public BatchedJobs batched() {
    return batched;
  }

  /** Returns the jobs with a placement; all others in the table wait. */
  public RunningJobs running() {
    return running;
  }

  /** Returns the running jobs whose sizes may change; none if sizes never do. */
  public ElasticJobs elastic() {
    return elastic;
  }

  /** Returns the state of elastic jobs besides that of each job. */
  public ElasticJobs.Known knownOfElastic() {
    return elastic.known(agenda.nextGrowth());
  }

  /** Restores the state of elastic jobs. */
  public void restoreElastic(ElasticJobs.Known known) {
    elastic.restore(known, agenda.nextGrowth());
  }

  /** Returns the remembered ended jobs. */
  public EndedJobs ended() {
    return ended;
  }

  /** Returns the time of the last event; {@link Instant#MIN} before the first. */
  public Instant now() {
    return now;
  }

  /** Returns the number of submissions so far, rejected ones included. */
  public long submissions() {
    return submissions;
  }

  /** Returns the waiting or running job, or null. */
  public @Nullable JobEntry find(JobId job) {
    return live.get(job);
  }

  /** Returns the waiting or running job, which must exist. */
  public JobEntry get(JobId job) {
    return Objects.requireNonNull(live.get(job));
  }

  /** Returns the quotas and usage of queues. */
  public Quotas quotas() {
    return quotas;
  }

  /** Updates the serving order of queues. */
  public void arrangeQueues() {
    quotas.arrange(queues, eligible);
    eligible.byClass().ready().reorder();
  }

  /**
   * Updates the serving order of queues as if these were the first waiting jobs. Requires a queue
   * tree.
   */
  public void arrangeQueuesFor(Map<QueueName, JobEntry> firsts) {
    quotas.arrangeFor(queues, firsts);
  }

  /**
   * Checks that every job belongs to a leaf of a tree.
   *
   * @throws IllegalArgumentException if one does not
   */
  public void requireQueues(QueueTree tree) {
    live.values().stream()
        .sorted(Comparator.comparingLong(JobEntry::sequence))
        .forEach(job -> Quotas.requireQueue(tree, job.job()));
  }

  /** Returns true if jobs change their sizes while they run. */
  public boolean changesSizes() {
    return elastic.coolDown() != null;
  }

  /** Replaces the queue tree. Every job must belong to one of its leaves. */
  public void changeQueues(QueueTree tree) {
    List<JobEntry> all = running.inOrder();
    all.addAll(allWaiting());
    all.forEach(this::saveBefore);
    all.forEach(this::takeFromQueue);
    queues.clear();
    openQueues(tree);
    all.forEach(this::putIntoQueue);
    measureQueues();
    agenda.parkHead(null);
    agenda.relearn();
  }

  private void openQueues(QueueTree tree) {
    quotas.begin(tree, now);
    running.groupByQueue(true);
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
      quotas.hold(job);
    }
    enqueue(job);
  }

  /** Reads the cluster's capacity for the queues. */
  public void measureQueues() {
    quotas.measure();
    quotas.reorder();
  }

  /**
   * Reads the cluster's capacity after an event of one node. Outdates cached losses of the queues
   * with jobs there only.
   */
  public void measureQueues(NodeId node) {
    quotas.measure();
    if (quotas.hasQueueTree()) {
      running.forEachOn(node, job -> job.account().noteChange());
    }
  }

  /** Returns what is to be tried, and the changes of this event so far. */
  public Agenda agenda() {
    return agenda;
  }

  /** Notes that capacity on a node has grown for all ranks. */
  public void growOn(NodeId node) {
    growOn(node, Long.MIN_VALUE);
  }

  /** Notes that capacity on a node has grown for this rank and higher ones. */
  public void growOn(NodeId node, long rank) {
    ClusterTopology topology = cluster.topology();
    agenda.growFrom(rank, NodeSet.all(topology, topology.position(node)));
  }

  /** Notes that no job has been tried on this cluster yet. */
  public void growEverywhere() {
    cluster.topology().nodes().forEach(node -> growOn(node.id()));
    agenda.relearn();
  }

  /** Notes new positions of nodes; pending growth by position becomes growth everywhere. */
  public void renumberNodes() {
    running.renumberNodes(cluster.topology());
    if (agenda.isOpen()) {
      agenda.forgetGrowths();
      growEverywhere();
    }
  }

  /** Returns the rank above which a waiting job may pre-empt running ones. */
  public long preemptsAbove(JobEntry job) {
    return policy().isRemainingTime()
        ? GpuTime.cappedSum(job.rank(), GpuTime.nanos(now))
        : job.rank();
  }

  /** Advances the clock to the time of an event; never backwards. */
  public void advance(Instant now) {
    boolean isLater = now.isAfter(this.now);
    this.now = now;
    quotas.advance(now);
    if (isLater) {
      agenda.takeLater(now).forEach(this::tryAgain);
    }
  }

  /** Makes a class ready that jobs spared until now may help. */
  private void tryAgain(PlacementClass placementClass) {
    if (eligible.byClass().wake(placementClass)) {
      agenda.parkHead(null);
    }
  }

  /** Restores the clock and the number of submissions. */
  public void restoreClock(Instant now, long submissions) {
    this.now = now;
    this.submissions = submissions;
    running.endProtectionAt(now);
    elastic.coolAt(now);
  }

  /** Adds a new waiting job. Its id must be free. */
  public void submit(JobSpec job, PlacementClass placementClass) {
    if (!marks.isEmpty()) {
      marks.element().saveAbsence(job.id());
    }
    JobEntry entry = new JobEntry(job, placementClass, submissions++, now);
    live.put(entry.id(), entry);
    entry.enter(queueOf(job));
    arrive(entry);
  }

  /**
   * Replaces a waiting job's specification, which ends its delay; it counts as newly arrived. A
   * stopping job goes on holding its GPUs.
   */
  public void update(JobEntry entry, JobSpec job) {
    saveBefore(entry);
    letOthersPass(entry);
    dequeue(entry);
    entry.endDelay();
    batched.remove(entry);
    forgetIfEmpty(entry.queue());
    if (!job.queue().equals(entry.job().queue())) {
      entry.noteRanIn(entry.job().queue());
    }
    entry.update(job);
    entry.enter(queueOf(job));
    arrive(entry);
  }

  /** Notes that parked jobs no longer wait for one before them, where none bypasses another. */
  private void letOthersPass(JobEntry leaving) {
    if (!batched.isEmpty() && blocksOthers(leaving)) {
      agenda.letOthersPass();
    }
  }

  private boolean blocksOthers(JobEntry job) {
    return hasOneHead()
        ? job.equals(waiting.first())
        : job.queue().isStrict() && job.equals(waiting.firstOf(job.queue()));
  }

  /** Ends a job that was rejected on arrival. */
  public void reject(JobId job) {
    submissions++;
    ended.add(job, Outcome.REJECTED);
  }

  /**
   * Starts a waiting job and places it in the cluster. It is starting while others still hold
   * something of its placement, and runs once the last of them has left.
   *
   * @throws IllegalStateException if the placement does not fit
   */
  public void start(JobEntry job, Placement placement) {
    saveBefore(job);
    dequeue(job);
    batched.remove(job);
    cluster.apply(job.job(), placement);
    List<JobId> onDevices = stopping.blocking(placement, cluster);
    List<JobId> after =
        withHoldersOfQuota(job, new JobPhase.Starting(placement, onDevices, now), onDevices);
    change(
        job,
        () -> {
          if (after.isEmpty()) {
            job.start(placement, now);
          } else {
            job.startAfter(after, placement, stopping.leftBy(after, now), now);
          }
        });
    notePace(job);
    addRunning(job);
    enter(job);
  }

  /**
   * Returns those who have to leave before a job holds what a phase promises it, by id: the given
   * ones and those who still hold quota that it takes.
   *
   * @param job the job, whose present placement is not counted by quotas
   */
  private List<JobId> withHoldersOfQuota(JobEntry job, JobPhase next, List<JobId> onDevices) {
    if (stopping.isEmpty() || !quotas.hasQueueTree() || !job.account().isLimited()) {
      return onDevices;
    }
    List<JobEntry> others = stopping.changing();
    others.remove(job);
    return quotas.jobsToAwait(job, next, others);
  }

  /** Returns usage and shares of a queue; empty if there is no such queue. */
  public Optional<QueueStatus> queueStatus(QueueName queue) {
    return quotas.status(queue, stopping.changing());
  }

  /**
   * Returns true if the first waiting job of all is the only candidate: the policy lets no job
   * bypass another, and no tree has each leaf go on by itself.
   */
  public boolean hasOneHead() {
    return !policy().allowsBypass() && !quotas.hasQueueTree();
  }

  /**
   * Pre-empts a running job. Its capacity counts as free at once; with a grace period the job is
   * not tried before that ends or it has {@linkplain #stopped stopped}. A starting job only waits
   * again.
   */
  public void preempt(JobEntry job) {
    if (job.isStarting() || rules.gracePeriod().isZero()) {
      evict(job);
      return;
    }
    leave(job);
    job.own().countPreemption();
    change(job, () -> job.stopBy(after(rules.gracePeriod()), now));
    arrive(job);
  }

  /**
   * Pre-empts a running job without a grace period. The start of a starting job is taken back,
   * which counts neither as a pre-emption nor as a run.
   */
  public void evict(JobEntry job) {
    leave(job);
    boolean hasBegun = job.hasBegun();
    if (hasBegun) {
      job.own().countPreemption();
    }
    change(job, () -> job.stop(now, hasBegun));
    arrive(job);
  }

  /** Notes that a pre-empted job has stopped; it may be tried again, unless it is delayed. */
  public void stopped(JobEntry job) {
    saveBefore(job);
    dequeue(job);
    change(job, job::stopped);
    arrive(job);
  }

  /** Notes that tasks have stopped that a job was leaving; one that has left wholly has stopped. */
  public void lose(JobEntry job, Predicate<TaskPlacement> gone) {
    List<TaskPlacement> leaving = job.phase().leaving().map(Placement::tasks).orElse(List.of());
    if (leaving.stream().noneMatch(gone)) {
      return;
    }
    if (job.isStopping() && leaving.stream().allMatch(gone)) {
      stopped(job);
    } else {
      reconsider(job, ranking.last(job, now), () -> change(job, () -> job.stopLeaving(gone, now)));
    }
  }

  /** Ends the delay of a waiting job. */
  public void endDelay(JobEntry job) {
    saveBefore(job);
    dequeue(job);
    job.endDelay();
    arrive(job);
  }

  /** Adds to the number of jobs that have bypassed a waiting one. */
  public void countBypass(JobEntry job, int jobs) {
    saveBefore(job);
    job.own().countBypass(jobs);
  }

  /**
   * Stops a running job that failed; it waits again.
   *
   * @param hasRun whether the run counts
   * @param reset a longer run begins a new row of failures
   */
  public void fail(JobEntry job, boolean hasRun, Duration reset) {
    saveBefore(job);
    Duration run = hasRun ? Duration.between(job.since(), now) : Duration.ZERO;
    job.own().countFailure(run, reset);
    leave(job);
    change(job, () -> job.stop(now, hasRun));
    arrive(job);
  }

  private void leave(JobEntry job) {
    saveBefore(job);
    release(job);
    dequeue(job);
    removeRunning(job);
  }

  /**
   * Changes the phase of a job that no collection holds, and with it what is leaving and who waits
   * for it.
   */
  private void change(JobEntry job, Runnable step) {
    boolean wasLeaving = job.phase().leaving().isPresent();
    stopping.remove(job);
    step.run();
    stopping.add(job);
    if (wasLeaving && job.phase().leaving().isEmpty()) {
      left(job.id());
    }
  }

  /**
   * Lets go on who waits for a job that has left: of those that wait for nobody else, a start
   * begins, and a running job moves.
   */
  private void left(JobId gone) {
    for (JobEntry job : stopping.awaiting()) {
      boolean isLast = job.phase().after().equals(List.of(gone));
      if (isLast && job.isStarting()) {
        begin(job);
      } else if (isLast && job.isMoving()) {
        arriveAfterMove(job);
      } else if (job.phase().after().contains(gone)) {
        saveBefore(job);
        change(job, () -> job.stopAwaiting(gone));
      }
    }
  }

  /** Lets a starting job run; it may change its size and move from now on. */
  private void begin(JobEntry job) {
    reconsider(job, ranking.last(job, now), () -> change(job, () -> job.begin(now)));
    growWhereItRuns(job);
  }

  /** Lets a moving job be where it moves to. */
  private void arriveAfterMove(JobEntry job) {
    Placement to = job.placement().orElseThrow();
    reconsider(
        job,
        ranking.last(job, now),
        () -> {
          change(job, () -> job.move(to, List.of()));
          notePace(job);
        });
    growWhereItRuns(job);
  }

  /** Delays a waiting job for a time. */
  public void delay(JobEntry job, Duration time) {
    if (time.isZero()) {
      return;
    }
    requeue(
        job,
        () -> {
          batched.remove(job);
          job.delayUntil(after(time));
        });
  }

  /** Holds a waiting job until its promised share begins, in a time that may be zero. */
  public void hold(JobEntry job, Duration time) {
    if (time.isZero() && job.delayedUntil() == null) {
      return;
    }
    saveBefore(job);
    dequeue(job);
    job.holdUntil(time.isZero() ? Optional.empty() : Optional.of(after(time)));
    if (job.delayedUntil() == null) {
      arrive(job);
    } else {
      batched.remove(job);
      enqueue(job);
    }
  }

  private Instant after(Duration time) {
    boolean ends = time.compareTo(Duration.between(now, Instant.MAX)) < 0;
    return ends ? now.plus(time) : Instant.MAX;
  }

  /** Excludes nodes for a waiting job. */
  public void exclude(JobEntry job, JobSpec elsewhere) {
    requeue(job, () -> job.become(elsewhere));
  }

  /** Changes a job, while no ordered collection holds it, and keeps its rank. */
  private void requeue(JobEntry job, Runnable change) {
    saveBefore(job);
    dequeue(job);
    change.run();
    enqueue(job);
  }

  /** Ends the delays and grace periods that are over. */
  public void releaseDelayed() {
    for (JobEntry job = delayed.due(now); job != null; job = delayed.due(now)) {
      if (job.isStopping()) {
        stopped(job);
      } else {
        endDelay(job);
      }
    }
  }

  /** Ends the protection of jobs that have run long enough. */
  public void endProtection() {
    running.endProtectionAt(now);
    for (JobEntry job = running.unprotected(); job != null; job = running.unprotected()) {
      saveBefore(job);
      running.dequeue(job);
      running.enqueue(job, now);
      quotas.reorder();
      growWhereItRuns(job);
    }
  }

  /** Ends the cool-downs that are over. */
  public void endCoolDowns() {
    elastic.coolAt(now);
    for (JobEntry job = elastic.cooled(); job != null; job = elastic.cooled()) {
      saveBefore(job);
      growWhereItRuns(job);
    }
  }

  /**
   * Returns true if more than {@code limit} jobs wait. Counted only when an event released capacity
   * or added a waiting job; at the transition elastic jobs count as grown, since they may give up
   * more.
   */
  public boolean judgeWaiting(int limit) {
    if (agenda.hasGrown() || agenda.hasArrivals()) {
      boolean many = waiting().size() > limit;
      if (many && !elastic.manyWait()) {
        elastic.all().forEach(this::growWhereItRuns);
      }
      elastic.noteManyWait(many);
    }
    return elastic.manyWait();
  }

  private void growWhereItRuns(JobEntry job) {
    agenda.growFrom(Long.MIN_VALUE, job.nodes(cluster.topology()));
  }

  /** Makes a parked job eligible. */
  public void makeEligible(JobEntry job) {
    requeue(job, () -> batched.remove(job));
    agenda.arrive(job);
  }

  /** Parks a waiting job until it is made eligible. */
  public void park(JobEntry job, BatchedJobs.Membership stage) {
    requeue(job, () -> batched.put(job, stage));
  }

  /** Changes the reason for which a job is parked. */
  public void changeStage(JobEntry job, BatchedJobs.Membership stage) {
    saveBefore(job);
    batched.put(job, stage);
  }

  /**
   * Moves a running job to another placement, once those who still hold something of it have left.
   */
  public void move(JobEntry job, Placement placement) {
    saveBefore(job);
    Placement before = job.phase().held().orElseThrow();
    release(job);
    dequeue(job);
    removeRunning(job);
    if (placement.equals(before)) {
      cluster.applyAgain(job.job(), placement);
    } else {
      cluster.apply(job.job(), placement);
    }
    List<JobId> onDevices =
        JobPhase.Moving.of(before, placement, List.of())
            .added()
            .map(more -> stopping.blocking(more, cluster))
            .orElse(List.of());
    List<JobId> after =
        withHoldersOfQuota(job, JobPhase.Moving.of(before, placement, onDevices), onDevices);
    job.own().place(now);
    change(job, () -> job.move(placement, after));
    if (after.isEmpty()) {
      notePace(job);
    }
    addRunning(job);
    enter(job);
  }

  /** Sets the job's speed and GPU equivalents at its present placement. */
  private void notePace(JobEntry job) {
    job.countAs(GpuEquivalents.of(job.placement().orElseThrow(), cluster.topology()), now);
    if (speeds != null) {
      ClusterTopology topology = cluster.topology();
      Placement placement = job.placement().orElseThrow();
      double speed = speeds.at(job.job(), job.history().gpuSpeeds(), placement, topology);
      job.runAt(speed, speed / speeds.mean(job.job(), job.history().gpuSpeeds(), topology), now);
    }
  }

  /** Returns the speeds by GPU model; empty if all are equal. */
  public Optional<JobSpeeds> speeds() {
    return Optional.ofNullable(speeds);
  }

  /**
   * Starts a size change of a running job. Released capacity counts as free at once, as that of a
   * job that is stopping.
   */
  public void resize(JobEntry job, Placement to) {
    boolean grows = to.tasks().size() > job.placement().orElseThrow().tasks().size();
    replace(
        job,
        to,
        () -> {
          job.resize(to, holdingMore(job, to), now);
          if (grows) {
            job.own().place(now);
          }
        });
    job.phase()
        .leaving()
        .ifPresent(left -> agenda.growFrom(Long.MIN_VALUE, new NodeSet(left, cluster.topology())));
  }

  /** Returns the jobs that still hold something of the tasks that a job gets, or their quota. */
  private List<JobId> holdingMore(JobEntry job, Placement to) {
    Placement from = job.placement().orElseThrow();
    List<JobId> onDevices =
        ResizedTasks.leaving(to, Optional.empty(), from)
            .map(more -> stopping.blocking(more, cluster))
            .orElse(List.of());
    JobPhase next =
        job.phase() instanceof JobPhase.Resizing change
            ? change.redirected(to, onDevices)
            : JobPhase.Resizing.of(from, to, onDevices);
    return withHoldersOfQuota(job, next, onDevices);
  }

  /** Starts a measurement of a running job, during which it keeps its size. */
  public void profile(JobEntry job) {
    saveBefore(job);
    job.beginProfile(now);
  }

  /**
   * Updates the deviation of a running job's reported speed from the measured one.
   *
   * @param most the largest accepted deviation
   * @param expected the prior speed at each size
   */
  public void watchSpeed(
      JobEntry job, double iterationsPerSecond, double most, IntToDoubleFunction expected) {
    saveBefore(job);
    job.own().drift(job.history().drift().after(job.size(), iterationsPerSecond, most, expected));
  }

  /** Ends a measurement. */
  public void profiled(JobEntry job, List<SizeSpeed> speeds) {
    saveBefore(job);
    job.endProfile(speeds);
    growWhereItRuns(job);
  }

  /** Notes that a job's switch to its new size is imminent and final. */
  public void readyToResize(JobEntry job) {
    saveBefore(job);
    job.readyToResize();
  }

  /** Notes that a job has switched to its new size. */
  public void resized(JobEntry job) {
    Placement at = job.placement().orElseThrow();
    replace(job, at, () -> job.endResize(at, now));
  }

  /** Notes that a job failed to grow and continues at its size. */
  public void resizeFailed(JobEntry job) {
    Placement before = job.resizing().orElseThrow().running();
    NodeSet held = job.nodes(cluster.topology());
    replace(job, before, () -> job.endResize(before, now));
    agenda.growFrom(Long.MIN_VALUE, held);
  }

  private void replace(JobEntry job, Placement to, Runnable change) {
    saveBefore(job);
    dequeue(job);
    removeRunning(job);
    cluster.resize(job.job(), to);
    change(job, change);
    addRunning(job);
    enter(job);
  }

  /** Ends a waiting or running job. */
  public void end(JobEntry job, Outcome how) {
    if (job.isRunning()) {
      saveEnding(job);
      release(job);
      removeRunning(job);
      dequeue(job);
    } else {
      saveBefore(job);
      letOthersPass(job);
      dequeue(job);
    }
    stopping.remove(job);
    batched.remove(job);
    forgetIfEmpty(job.queue());
    live.remove(job.id());
    ended.add(job.id(), how);
    if (job.phase().leaving().isPresent()) {
      left(job.id());
    }
  }

  /** Applies a progress report of a running job, and ranks the job again. */
  public void progress(JobEntry job, Progress progress) {
    saveBefore(job);
    long before = ranking.last(job, now);
    job.progress(progress, now);
    if (speeds != null && !job.job().parallelism().isElastic()) {
      Placement placement = job.placement().orElseThrow();
      job.own()
          .gpuSpeeds(
              speeds.seen(job.history().gpuSpeeds(), progress, placement, cluster.topology()));
    }
    reconsider(job, before);
  }

  /** Ranks every job whose review is due. */
  public void review() {
    for (JobEntry job = ranking.due(now); job != null; job = ranking.due(now)) {
      reconsider(job, ranking.last(job, now));
    }
  }

  /** Returns the earliest of the next review and other times. */
  public Optional<Instant> nextReview(List<Optional<Instant>> others) {
    return Stream.concat(
            Stream.of(ranking.next(), delayed.next(), running.nextUnprotected(), elastic.next()),
            others.stream())
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }

  /** Restores a saved job; a running one is placed in the cluster. */
  public void restore(JobEntry job) {
    take(job);
    ranking.rank(job, job.policyState(), now);
    boolean parked = batches && !job.isRunning() && job.delayedUntil() == null;
    adopt(job, parked ? BatchedJobs.Membership.LEFT_OVER : null);
  }

  private void adopt(JobEntry job, BatchedJobs.@Nullable Membership membership) {
    live.put(job.id(), job);
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
    stopping.add(job);
  }

  private void take(JobEntry job) {
    try {
      job.placement().ifPresent(placement -> cluster.apply(job.job(), placement));
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(
          "a snapshot's running jobs must fit the cluster, but job '" + job.id() + "' does not", e);
    }
  }

  /** Ranks a job, of rank {@code before}, again after a change. */
  private void reconsider(JobEntry job, long before) {
    reconsider(job, before, () -> {});
  }

  /** Changes a job, of rank {@code before}, while no collection holds it, and ranks it again. */
  private void reconsider(JobEntry job, long before, Runnable change) {
    saveBefore(job);
    dequeue(job);
    int level = job.policyState().level();
    change.run();
    enter(job);
    if (job.isRunning() && ranking.last(job, now) != before) {
      quotas.reorder();
    }
    if (!job.isRunning() && job.rank() != before) {
      tryNext(job);
    } else if (elastic.contains(job) && job.policyState().level() != level) {
      growWhereItRuns(job);
    } else if (job.isRunning() && mayBeStopped(job) && ranking.last(job, now) > before) {
      agenda.growFrom(ranksAloneDecide() ? before : Long.MIN_VALUE, job.nodes(cluster.topology()));
    }
  }

  /** Returns true if a running job may be stopped for others now, not only moved. */
  private boolean mayBeStopped(JobEntry job) {
    return (policy().preempts() || quotas.hasQueueTree()) && running.mayBePreempted(job);
  }

  private void saveBefore(JobEntry job) {
    if (!marks.isEmpty() && marks.element().isUntouched(job.id())) {
      save(job, job.copy());
    }
  }

  /** Saves a running job that ends; without a copy, since it never changes again. */
  private void saveEnding(JobEntry job) {
    if (!marks.isEmpty() && marks.element().isUntouched(job.id())) {
      save(job, job);
    }
  }

  private void save(JobEntry job, JobEntry fields) {
    long arrival = job.isRunning() ? cluster.arrival(job.id()) : 0;
    marks
        .element()
        .save(job.id(), new Savepoint.BeforeImage(job, fields, batched.stage(job), arrival));
  }

  private void release(JobEntry job) {
    Placement placement = job.placement().orElseThrow();
    agenda.growFrom(lowestToGainBy(job), placement, cluster.topology());
    cluster.release(job.id());
  }

  /** Returns the lowest rank for which the end of a running job releases capacity. */
  private long lowestToGainBy(JobEntry job) {
    boolean wasThere = ranksAloneDecide() && running.mayBePreempted(job) && !job.isPlacedAt(now);
    return wasThere ? ranking.last(job, now) : Long.MIN_VALUE;
  }

  /**
   * Returns true if the capacity of a pre-emptible job is available to all lower ranks, so that its
   * end releases nothing for them: the policy pre-empts, and neither quotas nor moves decide as
   * well. A job that may only move leaves capacity to nobody.
   */
  public boolean ranksAloneDecide() {
    return policy().preempts() && !quotas.hasQueueTree() && rules.mostMoves() == 0;
  }

  private void arrive(JobEntry job) {
    if (batches && job.delayedUntil() == null) {
      batched.put(job, BatchedJobs.Membership.ENTERED);
    }
    enter(job);
    tryNext(job);
  }

  /** Notes that a waiting job may be tried, unless it waits for a plan or a time. */
  private void tryNext(JobEntry job) {
    if (!batched.contains(job) && job.delayedUntil() == null) {
      agenda.arrive(job);
    }
  }

  private void enter(JobEntry job) {
    ranking.rank(job, now);
    enqueue(job);
  }

  private JobQueue queueOf(JobSpec job) {
    @Nullable QueueOrder order = policy().queueOrder().orElse(null);
    @Nullable QueueAccount account = quotas.account(job.queue());
    if (account != null) {
      return queueOf(account, order);
    }
    QueueName name = order == null ? EVERY_QUEUE : job.queue();
    return queues.computeIfAbsent(name, each -> new JobQueue(each, order));
  }

  /** Returns a queue of the tree; its ancestors are there if the policy orders queues. */
  private JobQueue queueOf(QueueAccount account, @Nullable QueueOrder order) {
    @Nullable JobQueue queue = queues.get(account.name());
    if (queue == null) {
      @Nullable QueueAccount above = order == null ? null : account.parent();
      @Nullable JobQueue parent = above == null ? null : queueOf(above, order);
      queue = new JobQueue(account, order, parent, policy().allowsBypass());
      queues.put(queue.name(), queue);
    }
    return queue;
  }

  private void addRunning(JobEntry job) {
    running.add(job);
    job.noteIndexed(true);
    quotas.hold(job);
    eligible.byClass().ready().reorder();
  }

  private void removeRunning(JobEntry job) {
    running.remove(job);
    job.noteIndexed(false);
    quotas.release(job);
    eligible.byClass().ready().reorder();
  }

  private void forgetIfEmpty(JobQueue queue) {
    if (queue.isEmpty()) {
      queues.remove(queue.name());
    }
  }

  private void enqueue(JobEntry job) {
    job.noteOrdered(true);
    if (job.isRunning()) {
      running.enqueue(job, now);
      elastic.enqueue(job);
    } else {
      addWaiting(job);
      job.queue().countWaiting(1);
      quotas.await(job);
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
    job.noteOrdered(false);
    if (job.isRunning()) {
      running.dequeue(job);
      elastic.dequeue(job);
    } else {
      removeWaiting(job);
      job.queue().countWaiting(-1);
      quotas.awaitNoMore(job);
    }
    ranking.remove(job);
  }

  private void removeWaiting(JobEntry job) {
    if (job.delayedUntil() != null) {
      delayed.remove(job);
      return;
    }
    waiting.remove(job);
    if (isEligibleApart(job)) {
      eligible.remove(job);
    }
  }

  /** Returns true if jobs are parked for a batch plan. */
  public boolean isBatched() {
    return batches;
  }

  /** Returns true if eligible jobs are kept separately and the waiting job is one of them. */
  private boolean isEligibleApart(JobEntry job) {
    return batches && !batched.contains(job);
  }
}
