package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.makeroom.MakeRoom;
import io.github.liquidscheduler.placement.makeroom.NodeSet;
import io.github.liquidscheduler.scheduler.policy.GpuTime;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A waiting or running job and its history. Mutable; changed by {@link JobTable} alone. */
public final class JobEntry implements MakeRoom.Candidate {

  /** The order of turns: by rank, then by submission. */
  public static final Comparator<JobEntry> TURN =
      Comparator.comparingLong(JobEntry::rank).thenComparingLong(JobEntry::sequence);

  private JobSpec job;
  private PlacementClass shape;
  private final long sequence;
  private final Instant submittedAt;
  private Instant since;
  private Duration executed;
  private Duration attained;
  private int preemptions;
  private int bypassed;
  private PolicyState standing;
  private @Nullable Duration remaining;
  private Instant remainingAt;
  private @Nullable Placement placement;
  private @Nullable NodeSet nodes;
  private long rank;
  private @Nullable Instant review;

  /** Makes a job that was just submitted. */
  public JobEntry(JobSpec job, long sequence, Instant submittedAt) {
    this.job = job;
    this.sequence = sequence;
    this.submittedAt = submittedAt;
    shape = new PlacementClass(job);
    since = submittedAt;
    remainingAt = submittedAt;
    executed = Duration.ZERO;
    attained = Duration.ZERO;
    standing = PolicyState.INITIAL;
  }

  private JobEntry(JobEntry other) {
    job = other.job;
    shape = other.shape;
    sequence = other.sequence;
    submittedAt = other.submittedAt;
    since = other.since;
    executed = other.executed;
    attained = other.attained;
    preemptions = other.preemptions;
    bypassed = other.bypassed;
    standing = other.standing;
    remaining = other.remaining;
    remainingAt = other.remainingAt;
    placement = other.placement;
    nodes = other.nodes;
    rank = other.rank;
    review = other.review;
  }

  /** Returns a job equal to this one that goes its own way from here. */
  public JobEntry copy() {
    return new JobEntry(this);
  }

  /** Returns all that is remembered of the job. */
  public SnapshotSection save() {
    SnapshotSection.Builder section =
        SnapshotSection.builder()
            .put("job", job)
            .put("sequence", sequence)
            .text("submittedAt", submittedAt)
            .text("since", since)
            .text("executed", executed)
            .text("attained", attained)
            .text("forgiven", standing.forgiven())
            .put("preemptions", preemptions)
            .put("bypassed", bypassed)
            .put("level", standing.level());
    if (remaining != null) {
      section.text("remaining", remaining).text("remainingAt", remainingAt);
    }
    placement().ifPresent(place -> section.put("placement", place));
    return section.build();
  }

  /** Returns the job that was saved. */
  public static JobEntry load(SnapshotSection.Reader in) {
    Instant submittedAt = in.text("submittedAt", Instant::parse);
    JobEntry job =
        new JobEntry(in.value("job", JobSpec.class), in.longCount("sequence"), submittedAt);
    job.since = in.text("since", Instant::parse);
    job.executed = in.text("executed", JobEntry::gpuTime);
    job.attained = in.text("attained", JobEntry::gpuTime);
    job.preemptions = in.count("preemptions");
    job.bypassed = in.count("bypassed");
    job.standing = new PolicyState(in.count("level"), in.text("forgiven", JobEntry::gpuTime));
    job.remaining = in.optionalText("remaining", JobEntry::time).orElse(null);
    job.remainingAt = in.optionalText("remainingAt", Instant::parse).orElse(submittedAt);
    job.placement = in.optional("placement", Placement.class).orElse(null);
    return job;
  }

  private static Duration gpuTime(String text) {
    Duration time = time(text);
    if (time.compareTo(GpuTime.MOST) > 0) {
      throw new IllegalArgumentException("no job can have had more than " + GpuTime.MOST);
    }
    return time;
  }

  private static Duration time(String text) {
    Duration time = Duration.parse(text);
    if (time.isNegative()) {
      throw new IllegalArgumentException("a time must not be negative");
    }
    return time;
  }

  /** Returns what the job requests, as last submitted or updated. */
  public JobSpec job() {
    return job;
  }

  @Override
  public JobId id() {
    return job.id();
  }

  /** Returns the class of jobs that fit, or do not fit, together with this one. */
  public PlacementClass shape() {
    return shape;
  }

  /** Returns how many jobs were submitted before this one; unique, and breaks ties of rank. */
  public long sequence() {
    return sequence;
  }

  /** Returns when the job last started, stopped or was submitted, whichever was last. */
  public Instant since() {
    return since;
  }

  /** Returns where the job runs; empty if it waits. */
  public Optional<Placement> placement() {
    return Optional.ofNullable(placement);
  }

  /** Returns whether the job runs, or has run and was stopped since. */
  public boolean hasRun() {
    return isRunning() || preemptions > 0 || !executed.isZero();
  }

  /** Returns whether the job runs; if not, it waits. */
  public boolean isRunning() {
    return placement != null;
  }

  /** Returns what the job, which runs, holds of the nodes. */
  @Override
  public NodeSet nodes(ClusterTopology topology) {
    if (nodes == null || !nodes.isIn(topology)) {
      nodes = new NodeSet(Objects.requireNonNull(placement), topology);
    }
    return nodes;
  }

  PolicyState standing() {
    return standing;
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
  void judge(PolicyState standing, long rank, @Nullable Instant review) {
    this.standing = standing;
    this.rank = rank;
    this.review = review;
  }

  /**
   * Notes that the job, which waits, is another from now on. No collection may hold it meanwhile.
   */
  void update(JobSpec job) {
    this.job = job;
    shape = new PlacementClass(job);
  }

  void start(Placement placement, Instant now) {
    this.placement = placement;
    since = now;
  }

  /** Notes that the job, which runs, goes on elsewhere on as many GPUs. */
  void move(Placement placement) {
    this.placement = placement;
    nodes = null;
  }

  /** Notes that the job stopped, after having run or, if not {@code hasRun}, without. */
  public void stop(Instant now, boolean hasRun) {
    if (hasRun) {
      JobView last = at(now);
      executed = last.executed();
      attained = last.attained();
      remaining = remaining == null ? null : last.remaining().orElse(null);
    }
    remainingAt = now;
    since = now;
    placement = null;
    nodes = null;
  }

  /** Notes that the job was pre-empted once more. */
  public void countPreemption() {
    preemptions++;
  }

  /** Returns how many jobs behind it plans have started while it could wait. */
  public int bypassed() {
    return bypassed;
  }

  /** Notes that so many more jobs, 0 or more, have bypassed this one. */
  public void countBypass(int jobs) {
    bypassed += jobs;
  }

  void progress(Progress progress, Instant now) {
    Optional<Duration> reported = progress.remaining().or(() -> iterationsLeft(progress));
    if (reported.isPresent()) {
      remaining = reported.get();
      remainingAt = now;
    }
  }

  /** Returns when a running job is expected to end, seen from {@code now}. */
  public Optional<Instant> expectedEnd(Instant now) {
    return at(now)
        .remaining()
        .filter(left -> left.compareTo(Duration.between(now, Instant.MAX)) < 0)
        .map(now::plus);
  }

  /** Returns the job as a policy sees it at {@code now}. */
  public JobView at(Instant now) {
    return new View(this, now);
  }

  private Optional<Duration> iterationsLeft(Progress progress) {
    if (job.expectedWork().isEmpty() || !(progress.iterationsPerSecond() > 0)) {
      return Optional.empty();
    }
    ExpectedWork work = job.expectedWork().get();
    if (work.iterations().isEmpty()) {
      return Optional.empty();
    }
    double left = Math.max(0, work.iterations().getAsLong() - progress.iterations());
    double seconds = left / progress.iterationsPerSecond();
    return Optional.of(
        seconds < 1e9
            ? Duration.ofNanos(Math.round(seconds * 1e9))
            : Duration.ofSeconds((long) Math.min(seconds, 1e18)));
  }

  /** The job at one instant. */
  private record View(JobEntry entry, Instant now) implements JobView {

    @Override
    public JobSpec job() {
      return entry.job;
    }

    @Override
    public Instant submittedAt() {
      return entry.submittedAt;
    }

    @Override
    public Instant since() {
      return entry.since;
    }

    @Override
    public boolean isRunning() {
      return entry.placement != null;
    }

    @Override
    public int gpus() {
      return entry.placement == null ? 0 : entry.placement.gpus();
    }

    @Override
    public Duration executed() {
      return isRunning() ? entry.executed.plus(runSince(entry.since)) : entry.executed;
    }

    @Override
    public Duration attained() {
      return isRunning()
          ? GpuTime.sum(entry.attained, GpuTime.times(runSince(entry.since), gpus()))
          : entry.attained;
    }

    @Override
    public Optional<Duration> remaining() {
      if (entry.remaining == null) {
        return entry
            .job
            .expectedWork()
            .flatMap(ExpectedWork::duration)
            .map(expected -> less(expected, executed()));
      }
      boolean reportedInThisRun = entry.remainingAt.isAfter(entry.since);
      Instant from = reportedInThisRun ? entry.remainingAt : entry.since;
      return Optional.of(isRunning() ? less(entry.remaining, runSince(from)) : entry.remaining);
    }

    @Override
    public int preemptions() {
      return entry.preemptions;
    }

    @Override
    public PolicyState standing() {
      return entry.standing;
    }

    private Duration runSince(Instant from) {
      return Duration.between(from, now);
    }

    private static Duration less(Duration time, Duration spent) {
      return time.compareTo(spent) <= 0 ? Duration.ZERO : time.minus(spent);
    }
  }
}
