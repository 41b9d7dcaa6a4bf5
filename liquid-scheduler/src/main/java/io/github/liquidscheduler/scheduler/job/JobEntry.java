package io.github.liquidscheduler.scheduler.job;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.phase.JobPhase;
import io.github.liquidscheduler.scheduler.phase.SavedPhase;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.speed.Pace;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduler.time.Overrun;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Idea: one object for each live job with everything that the scheduler knows of it, so that
 * collections hold references and compare plain fields. Its history is shared with copies until
 * either changes it.
 * Invariants: rank, review, phase and the expected end are keys of ordered collections and change
 * only while the job is in none; placedGpus follows the phase; the cached end is dropped with each
 * change of its inputs; the hash is the sequence number, the same on every JVM. JobEntryLaws
 * compares saved and copied jobs.
 * Cost: O(1), except nodes, held and size changes, which are O(tasks); a copy shares all immutable
 * values and is O(1).
 */
/**
 * A waiting or running job and its history. Mutable; its phase changes by {@link JobTransition}
 * only.
 */
public final class JobEntry implements EvictionSearch.Candidate {

  private final JobId id;
  private JobSpec job;
  private PlacementClass placementClass;
  private final long sequence;
  private JobHistory history;
  // Shared with copies; copied before the first change.
  private boolean isHistoryShared;
  private @Nullable MissingTasks shortage;
  private @Nullable Counted counted;
  private JobQueue queue;
  private PolicyState policyState = PolicyState.INITIAL;
  private JobPhase phase = JobPhase.Waiting.AT_ONCE;
  // Of the promised placement; a sum over its tasks.
  private int placedGpus;
  private @Nullable NodeSet nodes;
  private RunSpeed speed = RunSpeed.FULL;
  private long start;
  private boolean isOrdered;
  private Instant foreseenEnd = Instant.MAX;
  // The expected end at the preferred pace, cached until one of its inputs changes. At other paces
  // the end is rounded and depends on the time of the query.
  private @Nullable Instant knownEnd;
  private long rank;
  private @Nullable Instant review;

  /**
   * The charges counted for a job.
   *
   * @param tree the tree that counts them
   * @param held the held amounts; for a waiting job those of its smallest size
   * @param requested the wanted amounts, waiting or running
   */
  public record Counted(QueueTree tree, Charge held, Charge requested) {}

  /** Makes a job of this class that was just submitted. */
  public JobEntry(JobSpec job, PlacementClass kind, long sequence, Instant submittedAt) {
    this(job, kind, sequence, new JobHistory(submittedAt), new JobQueue(job.queue(), null));
  }

  private JobEntry(
      JobSpec job,
      PlacementClass placementClass,
      long sequence,
      JobHistory history,
      JobQueue queue) {
    id = job.id();
    this.job = job;
    this.placementClass = placementClass;
    this.sequence = sequence;
    this.history = history;
    this.queue = queue;
  }

  /** Returns an independent copy that is in no collection yet. */
  public JobEntry copy() {
    JobEntry copy = new JobEntry(job, placementClass, sequence, history, queue);
    copy.rollBackTo(this);
    return copy;
  }

  /**
   * Returns to an image: a {@link #copy} made earlier. Queue and membership of collections stay; no
   * collection may hold the job.
   */
  public void rollBackTo(JobEntry image) {
    job = image.job;
    placementClass = image.placementClass;
    history = image.history;
    isHistoryShared = true;
    image.isHistoryShared = true;
    counted = image.counted;
    policyState = image.policyState;
    phase = image.phase;
    placedGpus = image.placedGpus;
    nodes = image.nodes;
    speed = image.speed;
    start = image.start;
    rank = image.rank;
    review = image.review;
    knownEnd = image.knownEnd;
  }

  /**
   * Returns a waiting job of the same queue and rank that requests further tasks of this running
   * job. In no collection.
   */
  public JobEntry asking(JobSpec tasks) {
    JobEntry asking = copy();
    asking.counted = null;
    asking.setPhase(JobPhase.Waiting.AT_ONCE);
    asking.become(tasks);
    return asking;
  }

  /** Returns the saved job. */
  public SnapshotSection save() {
    SnapshotSection.Builder section =
        SnapshotSection.builder().put("job", job).put("sequence", sequence);
    history.save(section, phase.notBefore());
    section.put("level", policyState.level()).text("forgiven", policyState.forgiven());
    new SavedPhase(phase).save(section);
    speed.save(section);
    return section.build();
  }

  /** Loads a saved job. */
  public static JobEntry load(SnapshotSection.Reader in) {
    JobSpec spec = in.value("job", JobSpec.class);
    JobQueue queue = new JobQueue(spec.queue(), null);
    PlacementClass kind = new PlacementClass(spec);
    JobEntry job = new JobEntry(spec, kind, in.longCount("sequence"), JobHistory.load(in), queue);
    job.policyState = new PolicyState(in.count("level"), in.text("forgiven", GpuTime::parsed));
    job.setPhase(SavedPhase.load(in, in.optionalText("heldUntil", Instant::parse)));
    job.speed = RunSpeed.load(in);
    return job;
  }

  /** Returns true if ordered collections hold the job. */
  public boolean isOrdered() {
    return isOrdered;
  }

  /** Notes whether ordered collections hold the job. */
  public void noteOrdered(boolean ordered) {
    isOrdered = ordered;
  }

  /** Returns the specification as last submitted or updated. */
  public JobSpec job() {
    return job;
  }

  /** Returns the specification at the size of the present placement. */
  public JobSpec asPlaced() {
    return Objects.requireNonNull(phase.promised()).sized(job);
  }

  @Override
  public JobId id() {
    return id;
  }

  /** Returns its placement class. */
  public PlacementClass placementClass() {
    return placementClass;
  }

  /** Returns the number of earlier submissions; unique, and breaks ties of rank. */
  public long sequence() {
    return sequence;
  }

  /** Returns the time of the last submission, start or stop. */
  public Instant since() {
    return history.since();
  }

  /**
   * Returns the time of the last start, size change or report of remaining time; of a starting job
   * the time by which it runs.
   */
  public Instant knownAt() {
    return phase instanceof JobPhase.Starting starting ? starting.by() : history.changedAt();
  }

  /**
   * Returns true if a start, growth or move of the running job was decided at this instant. It then
   * gives nothing to others.
   */
  public boolean isPlacedAt(Instant now) {
    // Few were: the rest of a job need not be read.
    return history.placedAt().equals(now) && isRunning();
  }

  /** Returns true if the job, waiting or running, is promised GPUs. */
  public boolean isPromised() {
    return rank == Ranking.PROMISED;
  }

  /** Returns true if the job comes before those of all queues: it is promised, without a tree. */
  public boolean precedesQueues() {
    return isPromised() && queue.account() == null;
  }

  /** Returns the rank of its queue, or one below all. */
  public double turn() {
    return precedesQueues() ? Double.NEGATIVE_INFINITY : queue.rank();
  }

  /** Returns its phase. */
  public JobPhase phase() {
    return phase;
  }

  /** Returns the placement; empty while waiting. */
  public Optional<Placement> placement() {
    return Optional.ofNullable(phase.promised());
  }

  /** Returns true if the job is promised GPUs and has no processes yet. */
  public boolean isStarting() {
    return phase instanceof JobPhase.Starting;
  }

  /** Returns true if the job runs and has begun to. */
  public boolean hasBegun() {
    return isRunning() && !isStarting() && !(phase instanceof JobPhase.Launching);
  }

  /** Returns true if the job was pre-empted and has not left its GPUs yet. */
  public boolean isStopping() {
    return phase instanceof JobPhase.Stopping;
  }

  /** Returns the size change in progress; else empty. */
  public Optional<JobPhase.Resizing> resizing() {
    return phase instanceof JobPhase.Resizing change ? Optional.of(change) : Optional.empty();
  }

  /** Returns the GPUs of its placement, without those that it is leaving; 0 while waiting. */
  public int placedGpus() {
    return placedGpus;
  }

  /** Returns all GPUs that it holds; 0 while waiting. */
  public int gpus() {
    return placedGpus
        + resizing().flatMap(JobPhase.Resizing::leaving).map(Placement::gpus).orElse(0);
  }

  /** Returns the number of tasks of its sized roles at present; the preferred one while waiting. */
  public int size() {
    @Nullable Placement where =
        phase instanceof JobPhase.Resizing change ? change.running() : phase.promised();
    return where == null ? job.parallelism().preferred() : where.size(job);
  }

  /** Returns true if the job runs, or is starting or launching, false if it waits. */
  public boolean isRunning() {
    return phase.promised() != null;
  }

  /** Returns the speed on its GPUs; {@link RunSpeed#FULL} while waiting. */
  public RunSpeed speed() {
    return speed;
  }

  /** Sets the speed on its GPUs. */
  void setSpeed(RunSpeed speed) {
    this.speed = speed;
    knownEnd = null;
  }

  /** Returns the nodes and amounts that the running job holds. */
  @Override
  public NodeSet nodes(ClusterTopology topology) {
    nodes = nodes == null ? new NodeSet(placement().orElseThrow(), topology) : nodes.in(topology);
    return nodes;
  }

  /** Returns the counted charges; null if not counted. */
  public @Nullable Counted counted() {
    return counted;
  }

  /** Sets the counted charges; null if not counted. */
  public void setCounted(@Nullable Counted counted) {
    this.counted = counted;
  }

  /** Returns its history; read only. */
  public JobHistory history() {
    return history;
  }

  /** Returns its history for a change; copied first if shared. */
  public JobHistory own() {
    knownEnd = null;
    if (isHistoryShared) {
      history = history.copy();
      isHistoryShared = false;
    }
    return history;
  }

  /** Returns the known shortage of the waiting jobs of its class. */
  public MissingTasks shortage() {
    if (shortage == null) {
      shortage = new MissingTasks();
    }
    return shortage;
  }

  /** Attaches the shortage of its class. */
  public void lack(MissingTasks shortage) {
    this.shortage = shortage;
  }

  /** Returns its queue as policies see it; one object for all jobs of the queue. */
  public JobQueue queue() {
    return queue;
  }

  /** Returns the account of its queue. Requires a queue tree. */
  public QueueAccount account() {
    return Objects.requireNonNull(queue.account());
  }

  /** Sets its queue. No collection may hold the job meanwhile. */
  public void enter(JobQueue queue) {
    this.queue = queue;
  }

  /** Returns what the policy keeps of it. */
  public PolicyState policyState() {
    return policyState;
  }

  /** Returns the rank in the queue, or among running jobs. */
  public long rank() {
    return rank;
  }

  /** Returns the next time at which the policy ranks the job again, or null. */
  public @Nullable Instant review() {
    return review;
  }

  /** Sets the policy's results. No ordered collection may hold the job meanwhile. */
  public void judge(PolicyState policyState, long rank, @Nullable Instant review) {
    this.policyState = policyState;
    this.rank = rank;
    this.review = review;
  }

  /** Replaces the specification of the waiting job, other than by its user. */
  public void become(JobSpec job) {
    this.job = job;
    knownEnd = null;
    placementClass = new PlacementClass(job);
  }

  /** Sets its phase and what follows from it. */
  void setPhase(JobPhase next) {
    phase = next;
    @Nullable Placement placement = next.promised();
    placedGpus = placement == null ? 0 : placement.gpus();
    nodes = null;
    knownEnd = null;
  }

  /** Returns true if the job is to move once others have left. */
  public boolean isMoving() {
    return phase instanceof JobPhase.Moving;
  }

  /** Returns true if the job measures its speed at several sizes. */
  public boolean isProfiling() {
    return phase instanceof JobPhase.Running running && running.profiling();
  }

  /** Returns the number of its start among all; a move counts as a start. */
  public long start() {
    return start;
  }

  /** Sets the number of its start. */
  public void numberStart(long number) {
    start = number;
  }

  /** Returns true if the job waits, has left its GPUs, and is not to be started: it is held. */
  public boolean isHeld() {
    return phase instanceof JobPhase.Waiting && history.hold().isPresent();
  }

  /**
   * Returns the end of the waiting job's delay or grace period; {@link Instant#MAX} while it is
   * held, null if there is none.
   */
  public @Nullable Instant delayedUntil() {
    return isHeld() ? Instant.MAX : phase.notBefore().orElse(null);
  }

  // Identity equality, but an identity hash would be random.
  @Override
  public int hashCode() {
    return Long.hashCode(sequence);
  }

  /** Returns the expected end of a running job as of {@code now}. */
  public Optional<Instant> expectedEnd(Instant now) {
    boolean isExact =
        phase instanceof JobPhase.Launching || speed.pace(this).equals(Pace.PREFERRED);
    if (knownEnd == null && isRunning() && isExact) {
      knownEnd = endFrom(knownAt()).orElse(null);
    }
    return knownEnd == null
        ? endFrom(isStarting() && knownAt().isAfter(now) ? knownAt() : now)
        : Overrun.end(since(), knownEnd, now);
  }

  private Optional<Instant> endFrom(Instant from) {
    return at(from).timeLeft().flatMap(left -> GpuTime.after(from, left));
  }

  /** Returns the last end stored by {@link #foreseeEnd}. */
  Instant foreseenEnd() {
    return foreseenEnd;
  }

  /**
   * Stores the expected end, which may have passed, as a sort key, valid until progress or
   * expectation change. No ordered collection may hold the job meanwhile.
   */
  public void foreseeEnd() {
    foreseenEnd = endFrom(knownAt()).orElse(Instant.MAX);
  }

  /** Returns the job as it is at an instant. */
  public JobAtInstant at(Instant now) {
    return new JobAtInstant(this, now);
  }
}
