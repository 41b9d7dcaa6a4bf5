package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.ended.EndedJobs;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.Ranking;
import io.github.liquidscheduler.scheduler.moves.RecentMoves;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.speed.JobSpeeds;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a job is waiting, delayed, parked, running or ended. The table holds the collections of
 * these states; each transition is one method of a part that moves a job between them, the cluster,
 * the quotas and the reviews. The policy ranks a job only when something has happened to it or its
 * review is due.
 * Invariants: every live job is in exactly one state; a job leaves its ordered collections before
 * its rank changes (dequeue) and enters them afterwards (enqueue). SchedulerLaws and JobTableTest
 * check states, copies and rollbacks.
 * Cost: a transition O(log jobs + tasks + jobs on its nodes + depth of the queue tree); copy
 * O(nodes + jobs). EventBench and QueueBench measure all of them.
 */
/**
 * Every waiting, running and remembered job. Its parts are the {@linkplain #waitingTransitions
 * transitions of waiting} and {@linkplain #runTransitions of running jobs}, what {@linkplain
 * #reviews time changes}, the {@linkplain #queues queues} and the {@linkplain #savepoints way
 * back}.
 *
 * <p>Only eligible waiting jobs are tried. Without a batch window all are eligible; with one, new
 * jobs are parked until a plan arrives.
 */
public final class JobTable {

  private final ClusterState cluster;
  private final Ranking ranking;
  private final PreemptionRules rules;
  private final @Nullable JobSpeeds speeds;
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
  private final boolean awaitsStarts;
  private final WaitingJobs eligible;
  private final LeavingQuota leavingQuota;
  private final JobIndexes indexes;
  private final JobQueues queues;
  private final Savepoints savepoints;
  private final WaitingTransitions waitingTransitions;
  private final RunTransitions runTransitions;
  private final Reviews reviews;
  private Instant now = Instant.MIN;
  private long submissions;
  private RecentMoves moves = RecentMoves.NONE;

  /**
   * Makes an empty table.
   *
   * @param rules the protection of running jobs, and the way they stop
   * @param speeds the speeds by GPU model; null if all are equal
   * @param coolDown the time for which a job keeps its size; null if sizes never change
   * @param batches whether jobs are parked for a batch plan
   * @param promises whether firm jobs are promised GPUs, which they take before all others
   * @param awaitsStarts whether a started job is launching until it is reported as begun
   */
  public JobTable(
      ClusterState cluster,
      SchedulingPolicy policy,
      PreemptionRules rules,
      @Nullable JobSpeeds speeds,
      @Nullable Duration coolDown,
      EndedJobs ended,
      boolean batches,
      boolean promises,
      boolean awaitsStarts) {
    this.cluster = cluster;
    ranking = new Ranking(policy, promises);
    this.rules = rules;
    this.speeds = speeds;
    this.ended = ended;
    this.batches = batches;
    this.awaitsStarts = awaitsStarts;
    boolean ranksDecide = policy.preempts() || promises;
    eligible = new WaitingJobs(classes, agenda, ranksDecide);
    // What is known of classes concerns the eligible jobs only.
    waiting = batches ? new WaitingJobs(new ClassImages(), new Agenda(), ranksDecide) : eligible;
    running = new RunningJobs(policy.preempts(), rules);
    elastic = new ElasticJobs(coolDown);
    quotas = new Quotas(cluster, coolDown != null, policy.queueOrder().isPresent());
    leavingQuota = new LeavingQuota(quotas, stopping);
    indexes = new JobIndexes(this);
    queues = new JobQueues(this, indexes);
    savepoints = new Savepoints(this, indexes, queues);
    PhaseChanges phases = new PhaseChanges(this, indexes, savepoints);
    waitingTransitions = new WaitingTransitions(this, indexes, queues, savepoints, phases);
    runTransitions = new RunTransitions(this, indexes, queues, savepoints, phases);
    reviews = new Reviews(this, savepoints, phases);
  }

  /**
   * Returns an empty table with a copy of the cluster, its placements included; of ended jobs too.
   * The jobs are still to be {@linkplain #adopt adopted}.
   */
  public JobTable emptyCopy() {
    JobTable copy =
        new JobTable(
            cluster.copy(),
            policy(),
            rules,
            speeds,
            elastic.coolDown(),
            ended.copy(),
            batches,
            promises(),
            awaitsStarts);
    copy.restoreClock(now, submissions);
    return copy;
  }

  /** Returns the queues and their serving order. */
  public JobQueues queues() {
    return queues;
  }

  /** Returns the marks and the way back to them. */
  public Savepoints savepoints() {
    return savepoints;
  }

  /** Returns the transitions of waiting jobs. */
  public WaitingTransitions waitingTransitions() {
    return waitingTransitions;
  }

  /** Returns the transitions of running jobs. */
  public RunTransitions runTransitions() {
    return runTransitions;
  }

  /** Returns what the passing of time changes. */
  public Reviews reviews() {
    return reviews;
  }

  /** Returns true if a started job is launching until it is reported as begun. */
  public boolean awaitsStarts() {
    return awaitsStarts;
  }

  Ranking ranking() {
    return ranking;
  }

  ClassImages images() {
    return classes;
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

  /** Returns the cluster with all placements of running jobs. */
  public ClusterState cluster() {
    return cluster;
  }

  /** Returns the policy that ranks the jobs. */
  public SchedulingPolicy policy() {
    return ranking.policy();
  }

  /** Returns true if firm jobs are promised GPUs, which they take before all others. */
  public boolean promises() {
    return ranking.promises();
  }

  /** Returns true if a job is promised GPUs, once they are due to it. */
  boolean isPromised(JobSpec job) {
    return promises() && Ranking.isFirm(job);
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

  /** Returns true if jobs change their sizes while they run. */
  public boolean changesSizes() {
    return elastic.coolDown() != null;
  }

  /** Returns what is to be tried, and the changes of this event so far. */
  public Agenda agenda() {
    return agenda;
  }

  /** Notes new positions of nodes; pending growth by position becomes growth everywhere. */
  public void renumberNodes() {
    running.renumberNodes(cluster.topology());
    if (agenda.isOpen() || !agenda.loosened().isEmpty()) {
      agenda.forgetGrowths();
      agenda.growEverywhere(cluster.topology());
    }
  }

  /** Returns the rank above which a waiting job may pre-empt running ones. */
  public long preemptsAbove(JobEntry job) {
    return policy().isRemainingTime() && !job.isPromised()
        ? GpuTime.cappedSum(job.rank(), GpuTime.nanos(now))
        : job.rank();
  }

  /** Returns true if a waiting job may stop others for its rank, or for what it is promised. */
  public boolean mayPreempt(JobEntry waiting) {
    return waiting.isPromised() || policy().preempts();
  }

  /**
   * Returns true if a running job may be stopped by a waiting one that {@linkplain #mayPreempt may
   * pre-empt}. Nothing protects against a promise.
   */
  public boolean mayBeStoppedBy(JobEntry waiting, JobEntry job) {
    return waiting.isPromised()
        ? !job.isPromised()
        : running.mayBePreempted(job, preemptsAbove(waiting));
  }

  /** Returns the wanted running jobs that may be stopped by such a job, last in turn first. */
  public Iterator<JobEntry> victimsOf(JobEntry waiting, Predicate<JobEntry> wanted) {
    return waiting.isPromised()
        ? running.unpromised().filter(wanted).iterator()
        : running.preemptibleAbove(preemptsAbove(waiting), wanted);
  }

  /** Returns those of its queue, in a tree. */
  public Stream<JobEntry> victimsBeside(JobEntry waiting) {
    long rank = preemptsAbove(waiting);
    return waiting.isPromised()
        ? running.unpromised().filter(job -> job.account().equals(waiting.account()))
        : running.preemptibleBeside(waiting).takeWhile(job -> job.rank() > rank);
  }

  /** Restores the clock and the number of submissions. */
  public void restoreClock(Instant now, long submissions) {
    this.now = now;
    this.submissions = submissions;
    running.endProtectionAt(now);
    elastic.coolAt(now);
  }

  /** Returns what jobs that are leaving still hold of quotas. */
  public LeavingQuota leavingQuota() {
    return leavingQuota;
  }

  /**
   * Returns true if the first waiting job of all is the only candidate: the policy lets no job
   * bypass another, and no tree has each leaf go on by itself.
   */
  public boolean hasOneHead() {
    return !policy().allowsBypass() && !quotas.hasQueueTree();
  }

  /** Returns the speeds by GPU model; empty if all are equal. */
  public Optional<JobSpeeds> speeds() {
    return Optional.ofNullable(speeds);
  }

  /** Restores a saved job; a running one is placed in the cluster, in a way that is given. */
  public void restore(JobEntry job, BiConsumer<JobSpec, Placement> place) {
    job.placement().ifPresent(at -> place.accept(job.job(), at));
    ranking.rank(job, job.policyState(), now);
    boolean parked = batches && !job.isRunning() && job.delayedUntil() == null;
    adopt(job, parked ? BatchedJobs.Membership.LEFT_OVER : null);
  }

  private void adopt(JobEntry job, BatchedJobs.@Nullable Membership membership) {
    add(job);
    indexes.settleIn(job, queues.queueOf(job.job()), membership);
    if (job.isRunning()) {
      indexes.addRunning(job);
    }
    indexes.enqueue(job);
  }

  /**
   * Returns true if the capacity of a pre-emptible job is available to all lower ranks, so that its
   * end releases nothing for them: the policy pre-empts, and neither quotas nor moves decide as
   * well. A job that may only move leaves capacity to nobody.
   */
  public boolean ranksAloneDecide() {
    return policy().preempts() && !quotas.hasQueueTree() && rules.mostMoves() == 0;
  }

  /** Returns true if jobs are parked for a batch plan. */
  public boolean isBatched() {
    return batches;
  }

  /** Returns all jobs by submission, as a copy. */
  List<JobEntry> inOrderOfSubmission() {
    return live.values().stream().sorted(Comparator.comparingLong(JobEntry::sequence)).toList();
  }

  void add(JobEntry job) {
    live.put(job.id(), job);
  }

  void remove(JobEntry job) {
    live.remove(job.id());
  }

  /** Counts a submission; returns the number of earlier ones. */
  long countSubmission() {
    return submissions++;
  }

  /** Sets the time of the last event. */
  void advance(Instant to) {
    now = to;
  }
}
