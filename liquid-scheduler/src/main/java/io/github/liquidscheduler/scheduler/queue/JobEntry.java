package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.NodeAmounts;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.scheduler.phase.JobPhase;
import io.github.liquidscheduler.scheduler.policy.GpuTime;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import io.github.liquidscheduler.scheduler.policy.QueueView;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.speed.GpuEquivalents;
import io.github.liquidscheduler.scheduler.speed.Pace;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.SizeSpeed;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
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
/** A waiting or running job and its history. Mutable; changed by {@link JobTable} only. */
public final class JobEntry implements EvictionSearch.Candidate {

  /** The order of jobs in one queue: by rank, then by submission. */
  public static final Comparator<JobEntry> RANK = JobEntry::compareRanks;

  /** The turn order: by rank of the queue, then {@link #RANK}. */
  public static final Comparator<JobEntry> TURN = JobEntry::compareTurns;

  /** The order of expected ends, then of starts. */
  static final Comparator<JobEntry> SOONEST_TO_END = JobEntry::compareEnds;

  private final JobId id;
  private JobSpec job;
  private PlacementClass placementClass;
  private NodeAmounts leastTask;
  private int unsizedTasks;
  private final long sequence;
  private JobHistory history;
  // Shared with copies; copied before the first change.
  private boolean isHistoryShared;
  private @Nullable MissingTasks shortage;
  private Quotas.@Nullable Counted counted;
  private JobQueue queue;
  private PolicyState policyState = PolicyState.INITIAL;
  private JobPhase phase = JobPhase.Waiting.AT_ONCE;
  // Of the promised placement; a sum over its tasks.
  private int placedGpus;
  private @Nullable NodeSet nodes;
  private double gpuSpeed = 1;
  private double fleetSpeed = 1;
  private GpuEquivalents withoutGpus = GpuEquivalents.NONE;
  private long start;
  // Whether the ordered collections, and the indexes of running jobs, hold it.
  private boolean isOrdered;
  private boolean isIndexed;
  private Instant foreseenEnd = Instant.MAX;
  // The expected end, cached until one of its inputs changes; plain numbers, since queries for the
  // next end read it for all jobs.
  private boolean isEndKnown;
  private long endSecond;
  private int endNano;
  private long rank;
  private @Nullable Instant review;

  /** Makes a job of this class that was just submitted. */
  JobEntry(JobSpec job, PlacementClass placementClass, long sequence, Instant submittedAt) {
    this(job, placementClass, sequence, new JobHistory(submittedAt));
  }

  private JobEntry(JobSpec job, PlacementClass placementClass, long sequence, JobHistory history) {
    id = job.id();
    this.job = job;
    this.placementClass = placementClass;
    this.sequence = sequence;
    this.history = history;
    leastTask = placementClass.leastTask();
    unsizedTasks = unsizedTasks(job);
    queue = new JobQueue(job.queue(), null);
  }

  private JobEntry(JobEntry other) {
    id = other.id;
    sequence = other.sequence;
    job = other.job;
    placementClass = other.placementClass;
    leastTask = other.leastTask;
    history = other.history;
    queue = other.queue;
    become(other);
  }

  /** Takes over everything that a job is besides its id, queue and membership of collections. */
  private void become(JobEntry other) {
    job = other.job;
    placementClass = other.placementClass;
    leastTask = other.leastTask;
    unsizedTasks = other.unsizedTasks;
    history = other.history;
    isHistoryShared = true;
    other.isHistoryShared = true;
    counted = other.counted;
    policyState = other.policyState;
    phase = other.phase;
    placedGpus = other.placedGpus;
    nodes = other.nodes;
    gpuSpeed = other.gpuSpeed;
    fleetSpeed = other.fleetSpeed;
    withoutGpus = other.withoutGpus;
    start = other.start;
    rank = other.rank;
    review = other.review;
    isEndKnown = other.isEndKnown;
    endSecond = other.endSecond;
    endNano = other.endNano;
  }

  /** Returns an independent copy that is in no collection yet. */
  public JobEntry copy() {
    return new JobEntry(this);
  }

  /** Returns to an image: a {@link #copy} made earlier. No collection may hold the job. */
  void rollBackTo(JobEntry image) {
    become(image);
  }

  /** Returns true if ordered collections hold the job. */
  boolean isOrdered() {
    return isOrdered;
  }

  /** Notes whether ordered collections hold the job. */
  void noteOrdered(boolean ordered) {
    isOrdered = ordered;
  }

  /** Returns true if the indexes of running jobs hold the job. */
  boolean isIndexed() {
    return isIndexed;
  }

  /** Notes whether the indexes of running jobs hold the job. */
  void noteIndexed(boolean indexed) {
    isIndexed = indexed;
  }

  /**
   * Returns a waiting job of the same queue and rank that requests further tasks of this running
   * job. In no collection.
   */
  public JobEntry asking(JobSpec tasks) {
    JobEntry asking = copy();
    asking.counted = null;
    asking.phase = JobPhase.Waiting.AT_ONCE;
    asking.placedGpus = 0;
    asking.nodes = null;
    asking.become(tasks);
    return asking;
  }

  /** Returns the saved job. */
  public SnapshotSection save() {
    SnapshotSection.Builder section =
        SnapshotSection.builder().put("job", job).put("sequence", sequence);
    history.save(section, phase.notBefore());
    section.put("level", policyState.level()).text("forgiven", policyState.forgiven());
    phase.save(section);
    if (gpuSpeed != 1) {
      section.put("gpuSpeed", gpuSpeed);
    }
    if (fleetSpeed != 1) {
      section.put("fleetSpeed", fleetSpeed);
    }
    if (withoutGpus.thousandths() > 0) {
      section.put("gpuEquivalents", withoutGpus.thousandths());
    }
    return section.build();
  }

  /** Loads a saved job. */
  public static JobEntry load(SnapshotSection.Reader in) {
    JobSpec spec = in.value("job", JobSpec.class);
    JobEntry job =
        new JobEntry(spec, new PlacementClass(spec), in.longCount("sequence"), JobHistory.load(in));
    job.policyState = new PolicyState(in.count("level"), in.text("forgiven", JobHistory::gpuTime));
    job.phase = JobPhase.load(in, in.optionalText("heldUntil", Instant::parse));
    job.placedGpus = job.placement().map(Placement::gpus).orElse(0);
    job.gpuSpeed = speed("gpuSpeed", in);
    job.fleetSpeed = speed("fleetSpeed", in);
    job.withoutGpus =
        in.optional("gpuEquivalents", Long.class)
            .map(any -> new GpuEquivalents(in.count("gpuEquivalents")))
            .orElse(GpuEquivalents.NONE);
    return job;
  }

  private static double speed(String name, SnapshotSection.Reader in) {
    double speed = in.optional(name, Double.class).orElse(1.0);
    if (!(speed > 0 && speed < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "the speed of a running job must be positive and finite, but was " + speed);
    }
    return speed;
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

  /** Returns the least that a task of any role requests of a node. */
  public NodeAmounts leastTask() {
    return leastTask;
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
    return isRunning() && history.placedAt().equals(now);
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
    return isRunning() && !isStarting();
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
  int placedGpus() {
    return placedGpus;
  }

  /** Returns all GPUs that it holds; 0 while waiting. */
  int gpus() {
    return phase instanceof JobPhase.Resizing change
        ? placedGpus + change.leaving().map(Placement::gpus).orElse(0)
        : placedGpus;
  }

  /** Returns the number of tasks of its sized roles at present; the preferred one while waiting. */
  public int size() {
    @Nullable Placement where =
        phase instanceof JobPhase.Resizing change ? change.running() : phase.promised();
    return where == null ? job.parallelism().preferred() : size(where);
  }

  /** Returns the number of tasks of its sized roles at a placement. */
  public int size(Placement where) {
    return where.tasks().size() - unsizedTasks;
  }

  private static int unsizedTasks(JobSpec job) {
    int unsized = job.tasks();
    for (TaskRole role : job.sizedRoles()) {
      unsized -= role.count();
    }
    return unsized;
  }

  /** Returns true if the job runs or has run. */
  public boolean hasRun() {
    return hasBegun() || history.hasRun();
  }

  /** Returns true if the job runs or is starting, false if it waits. */
  public boolean isRunning() {
    return phase.promised() != null;
  }

  /** Returns its pace at its present size; that of the preferred size while waiting. */
  Pace pace() {
    boolean isElastic = job.parallelism().isElastic();
    if (!isRunning() || (gpuSpeed == 1 && fleetSpeed == 1 && !isElastic)) {
      return Pace.PREFERRED;
    }
    return isElastic
        ? new Pace(size(), job.parallelism().preferred(), gpuSpeed, fleetSpeed)
        : new Pace(1, 1, gpuSpeed, fleetSpeed);
  }

  /** Returns the speed on its GPUs relative to the fastest ones predicted; 1 while waiting. */
  public double gpuSpeed() {
    return gpuSpeed;
  }

  /**
   * Sets the speeds of the running job from now on.
   *
   * @param speed relative to its fastest GPUs
   * @param beside relative to its mean over all allowed GPUs
   */
  void runAt(double speed, double beside, Instant now) {
    if (speed != gpuSpeed || beside != fleetSpeed) {
      if (now.isAfter(history.since())) {
        own().changePace(now, new JobAtInstant(this, now));
      }
      gpuSpeed = speed;
      fleetSpeed = beside;
      isEndKnown = false;
    }
  }

  /** Returns the GPU equivalents of a job that runs without GPUs. */
  GpuEquivalents withoutGpus() {
    return withoutGpus;
  }

  /** Sets the GPU equivalents of the running job from now on. */
  void countAs(GpuEquivalents held, Instant now) {
    if (!held.equals(withoutGpus)) {
      if (now.isAfter(history.since())) {
        own().resize(now, new JobAtInstant(this, now));
      }
      withoutGpus = held;
    }
  }

  /** Returns the nodes and amounts that the running job holds. */
  @Override
  public NodeSet nodes(ClusterTopology topology) {
    nodes =
        nodes == null
            ? new NodeSet(Objects.requireNonNull(phase.promised()), topology)
            : nodes.in(topology);
    return nodes;
  }

  /** Returns the charge that the running job holds. Requires a queue tree. */
  Charge charge() {
    return Objects.requireNonNull(counted).held();
  }

  /** Returns the counted charges; null if not counted. */
  Quotas.@Nullable Counted counted() {
    return counted;
  }

  void setCounted(Quotas.@Nullable Counted counted) {
    this.counted = counted;
  }

  /** Returns its history; read only. */
  public JobHistory history() {
    return history;
  }

  /** Returns its history for a change; copied first if shared. */
  JobHistory own() {
    isEndKnown = false;
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
  void lack(MissingTasks shortage) {
    this.shortage = shortage;
  }

  JobQueue queue() {
    return queue;
  }

  /** Returns its queue as policies see it; one object for all jobs of the queue. */
  public QueueView queueView() {
    return queue;
  }

  /** Returns the account of its queue. Requires a queue tree. */
  public QueueAccount account() {
    return Objects.requireNonNull(queue.account());
  }

  /** Sets its queue. No collection may hold the job meanwhile. */
  void enter(JobQueue queue) {
    this.queue = queue;
  }

  /** Returns true if both jobs are in one queue. */
  public boolean isInQueueOf(JobEntry other) {
    return queue.equals(other.queue);
  }

  PolicyState policyState() {
    return policyState;
  }

  /** Returns the rank in the queue, or among running jobs. */
  public long rank() {
    return rank;
  }

  /** Returns the next time at which the policy ranks the job again, or null. */
  @Nullable Instant review() {
    return review;
  }

  /** Sets the policy's results. No ordered collection may hold the job meanwhile. */
  void judge(PolicyState policyState, long rank, @Nullable Instant review) {
    this.policyState = policyState;
    this.rank = rank;
    this.review = review;
  }

  /** Replaces the specification by order of the user. No collection may hold the job meanwhile. */
  void update(JobSpec job) {
    own().forgetFailures();
    become(job);
  }

  /** Replaces the specification of the waiting job, other than by its user. */
  void become(JobSpec job) {
    this.job = job;
    isEndKnown = false;
    placementClass = new PlacementClass(job);
    leastTask = placementClass.leastTask();
    unsizedTasks = unsizedTasks(job);
  }

  /** Notes the queue that a stopping job ran in, before it enters another one. */
  void noteRanIn(QueueName queue) {
    if (phase instanceof JobPhase.Stopping stopping) {
      enter(stopping.ranIn(queue));
    }
  }

  /** Enters the next phase; {@link JobPhase#then} has the table. */
  private void enter(JobPhase next) {
    phase = phase.then(next);
    @Nullable Placement placement = phase.promised();
    placedGpus = placement == null ? 0 : placement.gpus();
    nodes = null;
    isEndKnown = false;
  }

  void start(Placement placement, Instant now) {
    enter(new JobPhase.Running(placement, false));
    own().start(now);
  }

  /**
   * Starts the waiting job, once the jobs of {@code after} have left, of which some do by a time.
   */
  void startAfter(List<JobId> after, Placement placement, Instant by, Instant now) {
    enter(new JobPhase.Starting(placement, after, by));
    own().start(now);
  }

  /** Notes that the starting job runs: those that it waited for have left. */
  void begin(Instant now) {
    enter(new JobPhase.Running(Objects.requireNonNull(phase.promised()), false));
    own().begin(now);
  }

  /** Notes that a job that it waits for has left. */
  void stopAwaiting(JobId gone) {
    enter(phase.without(gone));
  }

  /** Notes that tasks which the job is leaving have stopped, but not all of a stopping one. */
  void stopLeaving(Predicate<TaskPlacement> gone, Instant now) {
    if (isRunning()) {
      own().resize(now, new JobAtInstant(this, now));
    }
    enter(phase.withoutLeaving(gone));
  }

  /**
   * Notes a move of the running job to as many other GPUs, once the jobs of {@code after} have
   * left.
   */
  void move(Placement placement, List<JobId> after) {
    if (isStarting()) {
      throw new IllegalStateException(
          "a job that is starting cannot be moved, but '%s' was".formatted(id));
    }
    enter(
        after.isEmpty()
            ? new JobPhase.Running(placement, isProfiling())
            : JobPhase.Moving.of(phase.held().orElseThrow(), placement, after));
  }

  /** Returns true if the job is to move once others have left. */
  public boolean isMoving() {
    return phase instanceof JobPhase.Moving;
  }

  /** Starts a size change of the running job; its new tasks wait for the jobs of {@code after}. */
  void resize(Placement to, List<JobId> after, Instant now) {
    own().resize(now, new JobAtInstant(this, now));
    own().countResize();
    enter(
        phase instanceof JobPhase.Resizing change
            ? change.redirected(to, after)
            : JobPhase.Resizing.of(Objects.requireNonNull(phase.promised()), to, after));
  }

  /** Returns true if the job measures its speed at several sizes. */
  public boolean isProfiling() {
    return phase instanceof JobPhase.Running running && running.profiling();
  }

  void beginProfile(Instant now) {
    enter(new JobPhase.Running(Objects.requireNonNull(phase.promised()), true));
    own().noteProfile(now);
  }

  void endProfile(List<SizeSpeed> speeds) {
    enter(new JobPhase.Running(Objects.requireNonNull(phase.promised()), false));
    if (speeds.isEmpty()) {
      return;
    }
    own().measure(speeds);
  }

  /** Notes that the switch to the new size is imminent. */
  void readyToResize() {
    enter(resizing().orElseThrow().atSwitch());
  }

  /**
   * Ends a size change.
   *
   * @param to the placement from now on
   */
  void endResize(Placement to, Instant now) {
    JobAtInstant last = new JobAtInstant(this, now);
    Optional<Duration> left = last.remaining();
    double before = history.speeds().at(size(), size -> size);
    own().resize(now, last);
    enter(new JobPhase.Running(to, false));
    own().endResize(now, left, history.speeds().at(size(), size -> size) / before);
  }

  /** Notes a stop; {@code hasRun} tells whether the run counts. */
  void stop(Instant now, boolean hasRun) {
    stop(now, hasRun, JobPhase.Waiting.AT_ONCE);
  }

  /** Notes a pre-emption of the running job, which holds its tasks until they have stopped. */
  void stopBy(Instant until, Instant now) {
    stop(now, true, new JobPhase.Stopping(phase.held().orElseThrow(), until, Optional.empty()));
  }

  private void stop(Instant now, boolean hasRun, JobPhase next) {
    own().stop(now, hasRun ? new JobAtInstant(this, now) : null);
    enter(next);
    gpuSpeed = 1;
    fleetSpeed = 1;
    withoutGpus = GpuEquivalents.NONE;
  }

  /** Returns the number of its start among all; a move counts as a start. */
  public long start() {
    return start;
  }

  void numberStart(long number) {
    start = number;
  }

  /** Delays the retry of the waiting job until a time. */
  void delayUntil(Instant until) {
    enter(phase.delayed(until));
  }

  /** Holds the job until its promised share; empty if that begins now. */
  void holdUntil(Optional<Instant> share) {
    enter(phase.sharing(share));
  }

  /** Returns the time from which the waiting job is promised GPUs, if it is held until then. */
  public Optional<Instant> heldUntil() {
    return phase instanceof JobPhase.Waiting waiting ? waiting.share() : Optional.empty();
  }

  /**
   * Returns true if the job waits for the delay of a retry, which ends after any promise begins.
   */
  public boolean isRetryDelayed() {
    return phase instanceof JobPhase.Waiting waiting
        && waiting.delay().isPresent()
        && waiting.share().isEmpty();
  }

  /** Ends the delay of the waiting job and what holds it, but no grace period. */
  void endDelay() {
    enter(phase.undelayed());
  }

  /** Notes that the pre-empted job has stopped. */
  void stopped() {
    if (phase instanceof JobPhase.Stopping stopping) {
      enter(stopping.stopped());
    }
  }

  /** Returns the end of the waiting job's delay or grace period; null if there is none. */
  public @Nullable Instant delayedUntil() {
    return phase.notBefore().orElse(null);
  }

  void progress(Progress progress, Instant now) {
    own().progress(job, progress, pace(), now);
    if (phase instanceof JobPhase.Running running
        && !running.profiling()
        && job.parallelism().isElastic()
        && progress.iterationsPerSecond() > 0) {
      own().observe(size(), progress.iterationsPerSecond());
    }
  }

  // Identity equality, but an identity hash would be random.
  @Override
  public int hashCode() {
    return Long.hashCode(sequence);
  }

  // Written out, since sorted structures call these most of all.

  private static int compareRanks(JobEntry one, JobEntry other) {
    int byRank = Long.compare(one.rank(), other.rank());
    return byRank != 0 ? byRank : Long.compare(one.sequence(), other.sequence());
  }

  private static int compareTurns(JobEntry one, JobEntry other) {
    int byQueue = Double.compare(one.queue.rank(), other.queue.rank());
    return byQueue != 0 ? byQueue : compareRanks(one, other);
  }

  private static int compareEnds(JobEntry one, JobEntry other) {
    int byEnd = one.foreseenEnd.compareTo(other.foreseenEnd);
    return byEnd != 0 ? byEnd : Long.compare(one.start(), other.start());
  }

  /** Returns the expected end of a running job as of {@code now}. */
  public Optional<Instant> expectedEnd(Instant now) {
    findEnd();
    if (!isEndKnown) {
      Instant from = isStarting() && knownAt().isAfter(now) ? knownAt() : now;
      return at(from).timeLeft().flatMap(left -> GpuTime.after(from, left));
    }
    Instant end = Instant.ofEpochSecond(endSecond, endNano);
    return Optional.of(end.isAfter(now) ? end : now);
  }

  private void knowEnd(Instant end) {
    endSecond = end.getEpochSecond();
    endNano = end.getNano();
    isEndKnown = true;
  }

  /**
   * Caches the expected end, if the job runs at its preferred pace: at others the end is rounded
   * and depends on the time of the query.
   */
  void findEnd() {
    if (isEndKnown || !isRunning() || !pace().equals(Pace.PREFERRED)) {
      return;
    }
    Instant from = knownAt();
    at(from).timeLeft().flatMap(left -> GpuTime.after(from, left)).ifPresent(this::knowEnd);
  }

  /**
   * Stores the expected end as a sort key, valid until progress or expectation change. No ordered
   * collection may hold the job meanwhile.
   */
  void foreseeEnd(Instant now) {
    foreseenEnd = expectedEnd(now).orElse(Instant.MAX);
  }

  /** Returns the job as it is at an instant. */
  public JobAtInstant at(Instant now) {
    return new JobAtInstant(this, now);
  }
}
