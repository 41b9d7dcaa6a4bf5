package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.scheduler.resize.MeasuredPauses;
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
 * The running jobs whose sizes may be changed: those of several sizes whose tasks share no GPU.
 * After a start and after each change a job keeps its size for the cool-down time.
 */
public final class ElasticJobs {

  private static final Comparator<JobEntry> BY_CHANGE =
      Comparator.comparing(ElasticJobs::changedAt).thenComparingLong(JobEntry::sequence);

  private final Set<JobEntry> byStart = new LinkedHashSet<>();
  private final TreeSet<JobEntry> cooling = new TreeSet<>(BY_CHANGE);
  private final @Nullable Duration coolDown;
  private Set<JobId> cannotGrow = Set.of();
  private long cannotGrowAt;
  private MeasuredPauses pauses = MeasuredPauses.NONE;
  private boolean manyWait;
  private Instant coolSince = Instant.MIN;

  /**
   * What is known besides what each job knows of itself.
   *
   * @param cannotGrow the jobs for which there is no room to get larger
   * @param pauses for how long jobs stood still whose sizes changed
   * @param manyWait whether many jobs waited when they were last counted
   */
  record Known(Set<JobId> cannotGrow, MeasuredPauses pauses, boolean manyWait) {

    static final Known NOTHING = new Known(Set.of(), MeasuredPauses.NONE, false);

    void save(SnapshotSection.Builder section) {
      section.texts("roomless", cannotGrow);
      pauses.save(section);
      if (manyWait) {
        section.put("manyWait", true);
      }
    }

    static Known load(SnapshotSection.Reader in) {
      return new Known(
          new LinkedHashSet<>(in.texts("roomless", JobId::of)),
          MeasuredPauses.load(in),
          in.optional("manyWait", Boolean.class).orElse(false));
    }
  }

  /**
   * Makes an empty set.
   *
   * @param coolDown how long a job keeps its size; null if no size is ever changed
   */
  ElasticJobs(@Nullable Duration coolDown) {
    this.coolDown = coolDown;
  }

  @Nullable Duration coolDown() {
    return coolDown;
  }

  /** Returns true if the size of such a job may be changed while it runs. */
  public static boolean isResizable(JobSpec job) {
    return job.parallelism().isElastic()
        && job.sharing() instanceof Sharing.Exclusive
        && job.roles().stream().allMatch(role -> role.request().share().isEmpty());
  }

  void enqueue(JobEntry job) {
    if (coolDown != null && isResizable(job.job())) {
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

  /** Returns all of them, in the order of their starts or last changes; live. */
  public Collection<JobEntry> all() {
    return Collections.unmodifiableCollection(byStart);
  }

  boolean contains(JobEntry job) {
    return byStart.contains(job);
  }

  /** Returns true if the size of one of them may be changed by now. */
  public boolean mayChange(JobEntry job) {
    return job.resizing().isEmpty() && !job.isProfiling() && !isCooling(job);
  }

  /** Returns the jobs for which there was no room to get larger, if none has grown since. */
  public Set<JobId> cannotGrow(long nextGrowth) {
    return nextGrowth == cannotGrowAt ? cannotGrow : Set.of();
  }

  /** Notes them. */
  public void noteCannotGrow(Set<JobId> jobs, long nextGrowth) {
    cannotGrow = Collections.unmodifiableSet(jobs);
    cannotGrowAt = nextGrowth;
  }

  /** Returns for how long jobs stood still whose sizes changed. */
  public MeasuredPauses pauses() {
    return pauses;
  }

  /** Notes for how long one did, and was expected to, in seconds. */
  public void learnPause(double measured, double expected) {
    pauses = pauses.with(measured, expected);
  }

  /** Returns true if many jobs waited when they were last counted. */
  boolean manyWait() {
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

  /** Returns when the next job has kept its size long enough, if there is one. */
  Optional<Instant> next() {
    return cooling.isEmpty() ? Optional.empty() : Optional.of(end(cooling.first()));
  }

  /** Sets the instant as of which a job has kept its size long enough. */
  void coolAt(Instant now) {
    if (coolDown != null) {
      Duration most = Duration.between(Instant.MIN, now);
      coolSince = coolDown.compareTo(most) < 0 ? now.minus(coolDown) : Instant.MIN;
    }
  }

  /** Takes a job that has kept its size long enough and does not count as such yet; or null. */
  @Nullable JobEntry cooled() {
    return cooling.isEmpty() || isCooling(cooling.first()) ? null : cooling.pollFirst();
  }

  private boolean isCooling(JobEntry job) {
    return changedAt(job).isAfter(coolSince);
  }

  private Instant end(JobEntry job) {
    Instant from = changedAt(job);
    Duration most = Duration.between(from, Instant.MAX);
    return coolDown != null && coolDown.compareTo(most) < 0 ? from.plus(coolDown) : Instant.MAX;
  }

  private static Instant changedAt(JobEntry job) {
    @Nullable Instant resized = job.history().resizedAt();
    return resized == null || resized.isBefore(job.since()) ? job.since() : resized;
  }
}
