package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.resize.MeasuredPauses;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The running jobs whose sizes may change: elastic jobs whose tasks share no GPU, once they have
 * begun. After a start and after each change a job keeps its size for the cool-down time.
 */
public final class ElasticJobs {

  private static final Comparator<JobEntry> BY_CHANGE =
      Comparator.comparing(ElasticJobs::changedAt).thenComparingLong(JobEntry::sequence);

  private final TreeSet<JobEntry> byStart =
      new TreeSet<>(Comparator.comparingLong(JobEntry::start));
  private final TreeSet<JobEntry> cooling = new TreeSet<>(BY_CHANGE);
  private final @Nullable Duration coolDown;
  private Set<JobId> cannotGrow = Set.of();
  private long cannotGrowAt;
  private MeasuredPauses pauses = MeasuredPauses.NONE;
  private boolean manyWait;
  private Instant coolSince = Instant.MIN;

  /**
   * The saved state besides that of each job.
   *
   * @param cannotGrow the jobs without capacity for a larger size
   * @param pauses the measured pauses of size changes
   * @param manyWait whether many jobs waited when they were last counted
   */
  public record Known(Set<JobId> cannotGrow, MeasuredPauses pauses, boolean manyWait) {

    /** Saves the state. */
    public void save(SnapshotSection.Builder section) {
      section.texts("roomless", cannotGrow);
      pauses.save(section);
      if (manyWait) {
        section.put("manyWait", true);
      }
    }

    /** Loads a saved state. */
    public static Known load(SnapshotSection.Reader in) {
      return new Known(
          new LinkedHashSet<>(in.texts("roomless", JobId::of)),
          MeasuredPauses.load(in),
          in.optional("manyWait", Boolean.class).orElse(false));
    }
  }

  /**
   * Makes an empty set.
   *
   * @param coolDown the time for which a job keeps its size; null if sizes never change
   */
  ElasticJobs(@Nullable Duration coolDown) {
    this.coolDown = coolDown;
  }

  @Nullable Duration coolDown() {
    return coolDown;
  }

  /** Returns true if the size of the job may change while it runs. */
  public static boolean isResizable(JobSpec job) {
    return job.parallelism().isElastic()
        && job.sharing() instanceof Sharing.Exclusive
        && job.roles().stream().allMatch(role -> role.request().share().isEmpty());
  }

  void enqueue(JobEntry job) {
    if (coolDown != null && isResizable(job.job()) && job.hasBegun() && !job.isMoving()) {
      byStart.add(job);
      if (isCooling(job)) {
        cooling.add(job);
      }
    }
  }

  void dequeue(JobEntry job) {
    if (coolDown != null) {
      byStart.remove(job);
      cooling.remove(job);
    }
  }

  /** Returns the jobs in the order of their starts, of which a change of size is one; live. */
  public Collection<JobEntry> all() {
    return Collections.unmodifiableCollection(byStart);
  }

  /** Returns true if the size of a job may change while it runs. */
  public boolean contains(JobEntry job) {
    return byStart.contains(job);
  }

  /** Returns true if the size of a job may change now. */
  public boolean mayChange(JobEntry job) {
    return job.resizing().isEmpty() && !job.isProfiling() && !isCooling(job);
  }

  /** Returns the jobs without capacity for a larger size; empty if capacity has grown since. */
  public Set<JobId> cannotGrow(long nextGrowth) {
    return nextGrowth == cannotGrowAt ? cannotGrow : Set.of();
  }

  /** Notes the jobs without capacity for a larger size. */
  public void noteCannotGrow(Set<JobId> jobs, long nextGrowth) {
    cannotGrow = Collections.unmodifiableSet(jobs);
    cannotGrowAt = nextGrowth;
  }

  /** Returns the measured pauses of size changes. */
  public MeasuredPauses pauses() {
    return pauses;
  }

  /** Adds a measured and an expected pause, in seconds. */
  public void learnPause(double measured, double expected) {
    pauses = pauses.with(measured, expected);
  }

  /** Returns true if many jobs waited when they were last counted. */
  public boolean manyWait() {
    return manyWait;
  }

  void noteManyWait(boolean many) {
    manyWait = many;
  }

  Known known(long nextGrowth) {
    return new Known(cannotGrow(nextGrowth), pauses, manyWait);
  }

  void restore(Known known, long nextGrowth) {
    noteCannotGrow(known.cannotGrow(), nextGrowth);
    pauses = known.pauses();
    manyWait = known.manyWait();
  }

  /** Returns the next end of a cool-down. */
  Optional<Instant> next() {
    return cooling.isEmpty() ? Optional.empty() : Optional.of(end(cooling.first()));
  }

  /** Sets the time against which cool-downs are judged. */
  void coolAt(Instant now) {
    if (coolDown != null) {
      Duration most = Duration.between(Instant.MIN, now);
      coolSince = coolDown.compareTo(most) < 0 ? now.minus(coolDown) : Instant.MIN;
    }
  }

  /** Takes a job whose cool-down has ended unnoticed, or null. */
  @Nullable JobEntry cooled() {
    return cooling.isEmpty() || isCooling(cooling.first()) ? null : cooling.pollFirst();
  }

  private boolean isCooling(JobEntry job) {
    return changedAt(job).isAfter(coolSince);
  }

  private Instant end(JobEntry job) {
    return coolDown == null ? Instant.MAX : GpuTime.later(changedAt(job), coolDown);
  }

  private static Instant changedAt(JobEntry job) {
    @Nullable Instant resized = job.history().resizedAt();
    return resized == null || resized.isBefore(job.since()) ? job.since() : resized;
  }
}
