package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.NodeAmounts;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.scheduler.policy.GpuTime;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import io.github.liquidscheduler.scheduler.policy.QueueView;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.resize.Resizing;
import io.github.liquidscheduler.scheduler.resize.SpeedCurve;
import io.github.liquidscheduler.scheduler.resize.SpeedDrift;
import io.github.liquidscheduler.scheduler.speed.GpuEquivalents;
import io.github.liquidscheduler.scheduler.speed.Pace;
import io.github.liquidscheduler.scheduler.speed.SeenSpeeds;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.SizeSpeed;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A waiting or running job and its history. Mutable; changed by {@link JobTable} alone. */
public final class JobEntry implements EvictionSearch.Candidate {

  /** The order of jobs in one queue: by rank, then by submission. */
  public static final Comparator<JobEntry> RANK = JobEntry::compareRanks;

  /** The order of turns: by the rank of the queue, then in the order of jobs in one queue. */
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
  // Whether copies have it too, so that nobody may change it.
  private boolean isHistoryShared;
  private @Nullable MissingTasks shortage;
  private Quotas.@Nullable Counted counted;
  private JobQueue queue;
  private PolicyState policyState = PolicyState.INITIAL;
  private @Nullable Placement placement;
  // Of that; adding them up costs a walk through its tasks.
  private int placedGpus;
  private @Nullable Placement stopping;
  private @Nullable Resizing resizing;
  private boolean profiling;
  private @Nullable NodeSet nodes;
  private double gpuSpeed = 1;
  private double fleetSpeed = 1;
  private GpuEquivalents withoutGpus = GpuEquivalents.NONE;
  private long start;
  private int runningSlot;
  private int liveSlot;
  private Instant foreseenEnd = Instant.MAX;
  // When it ends if it goes on as it does; kept as long as nothing by which it is found out has
  // changed. In plain numbers, since whoever looks for the next to end asks all of them.
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
    job = other.job;
    placementClass = other.placementClass;
    leastTask = other.leastTask;
    unsizedTasks = other.unsizedTasks;
    sequence = other.sequence;
    history = other.history;
    isHistoryShared = true;
    other.isHistoryShared = true;
    queue = other.queue;
    policyState = other.policyState;
    placement = other.placement;
    placedGpus = other.placedGpus;
    stopping = other.stopping;
    resizing = other.resizing;
    profiling = other.profiling;
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

  /** Returns a job equal to this one, not in a queue yet, that goes its own way from here. */
  public JobEntry copy() {
    return new JobEntry(this);
  }

  /** Returns the same, of which is known what it is counted for; for a table with the same tree. */
  JobEntry copyWithCharge() {
    JobEntry copy = copy();
    copy.counted = counted;
    return copy;
  }

  /**
   * Returns what asks for further tasks of this job, which runs, as a waiting job of its queue and
   * rank would. No collection ever holds it.
   */
  public JobEntry asking(JobSpec tasks) {
    JobEntry asking = copy();
    asking.placeAt(null);
    asking.resizing = null;
    asking.nodes = null;
    asking.become(tasks);
    return asking;
  }

  /** Returns all that is remembered of the job. */
  public SnapshotSection save() {
    SnapshotSection.Builder section =
        SnapshotSection.builder().put("job", job).put("sequence", sequence);
    history.save(section);
    section.put("level", policyState.level()).text("forgiven", policyState.forgiven());
    placement().ifPresent(place -> section.put("placement", place));
    stopping().ifPresent(place -> section.put("stopping", place));
    resizing().ifPresent(change -> change.save(section));
    if (profiling) {
      section.put("profiling", true);
    }
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

  /** Returns the job that was saved. */
  public static JobEntry load(SnapshotSection.Reader in) {
    JobSpec spec = in.value("job", JobSpec.class);
    JobEntry job =
        new JobEntry(spec, new PlacementClass(spec), in.longCount("sequence"), JobHistory.load(in));
    job.policyState = new PolicyState(in.count("level"), in.text("forgiven", JobHistory::gpuTime));
    job.placeAt(in.optional("placement", Placement.class).orElse(null));
    job.stopping = in.optional("stopping", Placement.class).orElse(null);
    job.resizing = Resizing.load(in).orElse(null);
    job.profiling = in.optional("profiling", Boolean.class).orElse(false);
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

  /** Returns what the job requests, as last submitted or updated. */
  public JobSpec job() {
    return job;
  }

  /** Returns the job, which runs, at the size at which it does. */
  public JobSpec asPlaced() {
    return Objects.requireNonNull(placement).sized(job);
  }

  @Override
  public JobId id() {
    return id;
  }

  /** Returns the class of jobs that fit, or do not fit, together with this one. */
  public PlacementClass placementClass() {
    return placementClass;
  }

  /** Returns the least that a task of any role of the job requests of a node. */
  public NodeAmounts leastTask() {
    return leastTask;
  }

  /** Returns how many jobs were submitted before this one; unique, and breaks ties of rank. */
  public long sequence() {
    return sequence;
  }

  /** Returns when the job last started, stopped or was submitted, whichever was last. */
  public Instant since() {
    return history.since();
  }

  /** Returns when it last started, changed its size or reported how long it has still to run. */
  public Instant knownAt() {
    return history.changedAt();
  }

  /** Returns since when the job has held as many GPUs as it does. */
  public Instant sizedAt() {
    return history.sizedAt();
  }

  /** Returns where the job runs; empty if it waits. */
  public Optional<Placement> placement() {
    return Optional.ofNullable(placement);
  }

  /** Returns where the job still is that was pre-empted and has not stopped yet; else empty. */
  public Optional<Placement> stopping() {
    return Optional.ofNullable(stopping);
  }

  /** Returns the change of its size that is under way; else empty. */
  public Optional<Resizing> resizing() {
    return Optional.ofNullable(resizing);
  }

  /** Returns all that the job, which runs, holds: where it is, and where it shall be. */
  Placement held() {
    Placement all = Objects.requireNonNull(placement);
    if (resizing == null || resizing.leaving().isEmpty()) {
      return all;
    }
    List<TaskPlacement> tasks = new ArrayList<>(all.tasks());
    tasks.addAll(resizing.leaving().get().tasks());
    return new Placement(id(), tasks);
  }

  /** Returns the GPUs of its placement, without those that it is leaving; 0 while it waits. */
  int placedGpus() {
    return placedGpus;
  }

  /** Returns all the GPUs it holds; 0 while it waits. */
  int gpus() {
    int leaving = resizing == null ? 0 : resizing.leavingGpus();
    return placement == null ? 0 : placedGpus() + leaving;
  }

  /**
   * Returns the number of tasks of its sized roles as it runs now; the preferred one if it waits.
   */
  public int size() {
    @Nullable Placement where = resizing == null ? placement : resizing.running();
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

  /** Returns how fast it was seen to be. */
  public SpeedCurve speeds() {
    return history.speeds();
  }

  /** Returns how often it was told to have another size. */
  public long resizes() {
    return history.resizes();
  }

  /** Notes where the job, which waits, still is; null if it has stopped. */
  void setStopping(@Nullable Placement held) {
    stopping = held;
  }

  /** Returns true if the job runs, or has run and was stopped since. */
  public boolean hasRun() {
    return isRunning() || history.hasRun();
  }

  /** Returns for how long it ran before its present run, if it runs. */
  public Duration executedBefore() {
    return history.executed();
  }

  /** Returns true if the job runs; if not, it waits. */
  public boolean isRunning() {
    return placement != null;
  }

  /** Returns how fast it is at its size; as at the preferred one if it does not run. */
  Pace pace() {
    boolean isElastic = job.parallelism().isElastic();
    if (placement == null || (gpuSpeed == 1 && fleetSpeed == 1 && !isElastic)) {
      return Pace.PREFERRED;
    }
    return isElastic
        ? new Pace(size(), job.parallelism().preferred(), gpuSpeed, fleetSpeed)
        : new Pace(1, 1, gpuSpeed, fleetSpeed);
  }

  /**
   * Returns how fast the job is on the GPUs where it runs, beside those on which it is predicted to
   * be fastest; 1 while it waits.
   */
  public double gpuSpeed() {
    return gpuSpeed;
  }

  /** Returns how fast the job was seen to be on each GPU model. */
  public SeenSpeeds gpuSpeeds() {
    return history.gpuSpeeds();
  }

  /**
   * Notes how fast the job, which runs, is on its GPUs from now on.
   *
   * @param speed beside those on which it is fastest
   * @param beside beside its mean over all GPUs that it may use
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

  /** Returns what the job, if it runs without GPUs, counts as. */
  GpuEquivalents withoutGpus() {
    return withoutGpus;
  }

  /** Notes what the job, which runs, counts as from now on, if it has no GPUs. */
  void countAs(GpuEquivalents held, Instant now) {
    if (!held.equals(withoutGpus)) {
      if (now.isAfter(history.since())) {
        own().resize(now, new JobAtInstant(this, now));
      }
      withoutGpus = held;
    }
  }

  /** Returns what the job, which runs, holds of the nodes. */
  @Override
  public NodeSet nodes(ClusterTopology topology) {
    nodes =
        nodes == null
            ? new NodeSet(Objects.requireNonNull(placement), topology)
            : nodes.in(topology);
    return nodes;
  }

  /** Returns what it holds of what queues count. It runs, and there is a tree of queues. */
  Charge charge() {
    return Objects.requireNonNull(counted).held();
  }

  /** Returns what queues count for the job; null if nothing was ever. */
  Quotas.@Nullable Counted counted() {
    return counted;
  }

  void setCounted(Quotas.@Nullable Counted counted) {
    this.counted = counted;
  }

  /** Returns its history, which is not to be changed. */
  JobHistory history() {
    return history;
  }

  /** Returns its history, to be changed. */
  private JobHistory own() {
    isEndKnown = false;
    if (isHistoryShared) {
      history = history.copy();
      isHistoryShared = false;
    }
    return history;
  }

  /** Returns what the waiting jobs of this one's class are known to lack. */
  public MissingTasks shortage() {
    if (shortage == null) {
      shortage = new MissingTasks();
    }
    return shortage;
  }

  /** Has the job, which comes to wait, know what those of its class lack. */
  void lack(MissingTasks shortage) {
    this.shortage = shortage;
  }

  JobQueue queue() {
    return queue;
  }

  /** Returns its queue as a policy sees it; the same object for all jobs that stand in it. */
  public QueueView queueView() {
    return queue;
  }

  /** Returns what its queue holds and may hold. There is a tree of queues. */
  public QueueAccount account() {
    return Objects.requireNonNull(queue.account());
  }

  /** Has the job stand in a queue from now on. No collection may hold it meanwhile. */
  void enter(JobQueue queue) {
    this.queue = queue;
  }

  /** Returns true if the two jobs stand in one queue, so that a start of one concerns the other. */
  public boolean isInQueueOf(JobEntry other) {
    return queue.equals(other.queue);
  }

  PolicyState policyState() {
    return policyState;
  }

  /** Returns the rank by which the job stands in the queue, or among the running jobs. */
  public long rank() {
    return rank;
  }

  /** Returns when the policy wants to look at the job again, or null. */
  @Nullable Instant review() {
    return review;
  }

  /** Sets what the policy says of the job. No ordered collection may hold it meanwhile. */
  void judge(PolicyState policyState, long rank, @Nullable Instant review) {
    this.policyState = policyState;
    this.rank = rank;
    this.review = review;
  }

  /**
   * Notes that the job, which waits, is another from now on. No collection may hold it meanwhile.
   */
  void update(JobSpec job) {
    own().forgetFailures();
    become(job);
  }

  /** Notes that the job, which waits, requests something else, by no wish of its user. */
  void become(JobSpec job) {
    this.job = job;
    isEndKnown = false;
    placementClass = new PlacementClass(job);
    leastTask = placementClass.leastTask();
    unsizedTasks = unsizedTasks(job);
  }

  void start(Placement placement, Instant now) {
    placeAt(placement);
    own().start(now);
  }

  /** Notes that the job, which runs, goes on elsewhere on as many GPUs. */
  void move(Placement placement) {
    placeAt(placement);
    nodes = null;
  }

  private void placeAt(@Nullable Placement at) {
    placement = at;
    placedGpus = at == null ? 0 : at.gpus();
    isEndKnown = false;
  }

  /** Notes that the job, which runs, shall have another size. */
  void resize(Placement to, Instant now) {
    Placement before = Objects.requireNonNull(placement);
    own().resize(now, new JobAtInstant(this, now));
    own().countResize();
    resizing = resizing == null ? Resizing.of(before, to) : resizing.redirected(before, to);
    move(to);
  }

  /** Returns true if the job measures how fast it is at some of its sizes. */
  public boolean isProfiling() {
    return profiling;
  }

  /** Returns true if the job was asked that in any of its runs. */
  public boolean wasProfiled() {
    return history.wasProfiled();
  }

  /** Returns when it last was; null if never. */
  public @Nullable Instant profiledAt() {
    return history.profiledAt();
  }

  /** Returns true if the speeds that it reports have left what was measured. */
  public SpeedDrift drift() {
    return history.drift();
  }

  void beginProfile(Instant now) {
    profiling = true;
    own().noteProfile(now);
  }

  void endProfile(List<SizeSpeed> speeds) {
    profiling = false;
    if (speeds.isEmpty()) {
      return;
    }
    own().measure(speeds);
  }

  /** Notes that the job is about to switch to its new size. */
  void readyToResize() {
    resizing = Objects.requireNonNull(resizing).atSwitch();
  }

  /**
   * Notes that a change of size is over.
   *
   * @param to where the job runs
   */
  void endResize(Placement to, Instant now) {
    JobAtInstant last = new JobAtInstant(this, now);
    Optional<Duration> left = last.remaining();
    double before = speeds().at(size(), size -> size);
    own().resize(now, last);
    resizing = null;
    move(to);
    own().endResize(now, left, speeds().at(size(), size -> size) / before);
  }

  /** Notes that the job stopped, after having run or, if not {@code hasRun}, without. */
  void stop(Instant now, boolean hasRun) {
    own().stop(now, hasRun ? new JobAtInstant(this, now) : null);
    placeAt(null);
    resizing = null;
    profiling = false;
    nodes = null;
    gpuSpeed = 1;
    fleetSpeed = 1;
    withoutGpus = GpuEquivalents.NONE;
  }

  /** Returns which start of all this was, the higher the later; a move counts as one. */
  public long start() {
    return start;
  }

  void numberStart(long number) {
    start = number;
  }

  /** Returns its slot among all jobs of the table, which it is told when it comes there. */
  int liveSlot() {
    return liveSlot;
  }

  void liveIn(int slot) {
    liveSlot = slot;
  }

  /** Returns its slot among the running jobs, which it is told when it starts. */
  int runningSlot() {
    return runningSlot;
  }

  void runIn(int slot) {
    runningSlot = slot;
  }

  /** Notes a failure, the first in a row if the run before it lasted longer than {@code reset}. */
  void countFailure(Duration run, Duration reset) {
    own().countFailure(run, reset);
  }

  /** Keeps the job, which waits, from being tried; no longer if null. */
  void delayUntil(@Nullable Instant until) {
    own().delayUntil(until);
  }

  /** Notes how fast it has reported to be on one GPU model. */
  void see(SeenSpeeds speeds) {
    own().gpuSpeeds(speeds);
  }

  /** Notes how far what it reports has left what was measured. */
  void drift(SpeedDrift drift) {
    own().drift(drift);
  }

  /** Notes that the job was pre-empted once more. */
  void countPreemption() {
    own().countPreemption();
  }

  /** Returns how often the job has failed in a row. */
  public int failures() {
    return history.failures();
  }

  /** Returns until when the job, which waits, is kept from being tried; null if it is not. */
  public @Nullable Instant delayedUntil() {
    return history.delayedUntil();
  }

  /** Returns how many jobs behind it plans have started while it could wait. */
  public int bypassed() {
    return history.bypassed();
  }

  /** Notes that so many more jobs, 0 or more, have bypassed this one. */
  void countBypass(int jobs) {
    own().countBypass(jobs);
  }

  void progress(Progress progress, Instant now) {
    own().progress(job, progress, pace(), now);
    if (resizing == null
        && !profiling
        && job.parallelism().isElastic()
        && progress.iterationsPerSecond() > 0) {
      own().observe(size(), progress.iterationsPerSecond());
    }
  }

  // Each is equal to itself alone, but the hash of an identity would be drawn at random.
  @Override
  public int hashCode() {
    return Long.hashCode(sequence);
  }

  // Sorted structures ask these more often than anything else, so they are written out.

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

  /** Returns for how long a running job is expected to go on as it is, if that is known. */
  public Optional<Duration> timeLeft(Instant now) {
    return new JobAtInstant(this, now).timeLeft();
  }

  /**
   * Returns in which time it would have done at its preferred size, on the GPUs on which it is
   * fastest, what it has done: the measure of its expected duration.
   */
  public Duration worked(Instant now) {
    return new JobAtInstant(this, now).worked();
  }

  /** Returns for how long a running job would go on as it is if it were so much work in all. */
  public Duration timeLeft(Instant now, Duration work) {
    return new JobAtInstant(this, now).timeLeft(work);
  }

  /** Returns true if it has reported for how long it still has to run. */
  public boolean hasReported() {
    return history.remaining() != null;
  }

  /** Returns when a running job is expected to end, seen from {@code now}. */
  public Optional<Instant> expectedEnd(Instant now) {
    findEnd();
    if (!isEndKnown) {
      return timeLeft(now).flatMap(left -> GpuTime.after(now, left));
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
   * Finds out when the job is expected to end, if it runs and that is the same whoever asks when:
   * at another pace than its preferred one it is rounded, each time a little else.
   */
  void findEnd() {
    if (isEndKnown || !isRunning() || !pace().equals(Pace.PREFERRED)) {
      return;
    }
    Instant from = knownAt();
    timeLeft(from).flatMap(left -> GpuTime.after(from, left)).ifPresent(this::knowEnd);
  }

  /**
   * Notes when the job, which runs, is expected to end, which is as long as its progress, and what
   * is expected of it, do not change. No ordered collection may hold it meanwhile.
   */
  void foreseeEnd(Instant now) {
    foreseenEnd = expectedEnd(now).orElse(Instant.MAX);
  }

  /** Returns the job as a policy sees it at {@code now}. */
  public JobView at(Instant now) {
    return new JobAtInstant(this, now);
  }
}
