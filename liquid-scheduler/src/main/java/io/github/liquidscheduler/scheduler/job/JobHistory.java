package io.github.liquidscheduler.scheduler.job;

import io.github.liquidscheduler.scheduler.resize.SpeedCurve;
import io.github.liquidscheduler.scheduler.resize.SpeedDrift;
import io.github.liquidscheduler.scheduler.speed.SeenSpeeds;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.SizeSpeed;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Idea: sums are kept as of the last start, size change or change of pace; JobAtInstant adds the
 * time since then, so that nothing is updated while a job runs.
 * Invariants: since <= sizedAt; times and attained service never decrease; what equals its default
 * is left out of snapshots and restored as that default. JobEntryLaws saves, loads and copies it.
 * Cost: O(1) each; save, load and a new observation O(recorded speeds).
 */
/** The history of a job: runs, attained service and reports. Changed by its job only. */
public final class JobHistory implements Cloneable {

  private final Instant submittedAt;
  private Instant since;
  private Instant sizedAt;
  private Instant placedAt;
  private Duration executed = Duration.ZERO;
  private Duration progressed = Duration.ZERO;
  private Duration worked = Duration.ZERO;
  private Duration attained = Duration.ZERO;
  private int preemptions;
  private int bypassed;
  private int failures;
  private boolean hasRun;
  private Sighting sighting = Sighting.NONE;
  private @Nullable String hold;
  private @Nullable Duration remaining;
  private Instant remainingAt;
  private long resizes;
  private @Nullable Instant resizedAt;
  private SpeedCurve speeds = SpeedCurve.NONE;
  private SeenSpeeds gpuSpeeds = SeenSpeeds.NONE;
  private SpeedDrift drift = SpeedDrift.NONE;
  private boolean wasProfiled;
  private @Nullable Instant profiledAt;

  /** Makes the history of a job that was just submitted. */
  JobHistory(Instant submittedAt) {
    this.submittedAt = submittedAt;
    since = submittedAt;
    sizedAt = submittedAt;
    placedAt = submittedAt;
    remainingAt = submittedAt;
  }

  /** Returns an independent copy: all values are immutable. */
  JobHistory copy() {
    try {
      return (JobHistory) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** Saves the history; {@code delayedUntil} is the end of the waiting job's delay. */
  void save(SnapshotSection.Builder section, Optional<Instant> delayedUntil) {
    section
        .text("submittedAt", submittedAt)
        .text("since", since)
        .text("executed", executed)
        .text("attained", attained)
        .put("preemptions", preemptions)
        .put("bypassed", bypassed)
        .put("failures", failures)
        .text("heldUntil", delayedUntil);
    if (hold != null) {
      section.put("hold", hold);
    }
    if (sighting != Sighting.NONE) {
      section.text("sighting", sighting);
    }
    if (hasRun && !showsRun()) {
      section.put("hasRun", true);
    }
    if (!progressed.equals(executedUntilSized())) {
      section.text("progressed", progressed);
    }
    if (!worked.equals(executed)) {
      section.text("worked", worked);
    }
    if (remaining != null) {
      section.text("remaining", remaining).text("remainingAt", remainingAt);
    }
    if (resizes > 0) {
      section.put("resizes", resizes).text("resizedAt", Optional.ofNullable(resizedAt));
    }
    if (!sizedAt.equals(since)) {
      section.text("sizedAt", sizedAt);
    }
    if (!placedAt.equals(since)) {
      section.text("placedAt", placedAt);
    }
    speeds.save("speeds", section);
    gpuSpeeds.save(section);
    drift.save(section);
    if (wasProfiled) {
      section.put("wasProfiled", true).text("profiledAt", Optional.ofNullable(profiledAt));
    }
  }

  static JobHistory load(SnapshotSection.Reader in) {
    JobHistory history = new JobHistory(in.text("submittedAt", Instant::parse));
    history.since = in.text("since", Instant::parse);
    history.executed = in.text("executed", GpuTime::parsed);
    history.worked = in.optionalText("worked", GpuTime::parsed).orElse(history.executed);
    history.attained = in.text("attained", GpuTime::parsed);
    history.preemptions = in.count("preemptions");
    history.bypassed = in.count("bypassed");
    history.failures = in.count("failures");
    history.hold = in.optional("hold", String.class).orElse(null);
    history.sighting = in.optionalText("sighting", Sighting::valueOf).orElse(Sighting.NONE);
    history.hasRun = in.optional("hasRun", Boolean.class).orElse(false) || history.showsRun();
    history.remaining = in.optionalText("remaining", GpuTime::parsedTime).orElse(null);
    history.remainingAt =
        in.optionalText("remainingAt", Instant::parse).orElse(history.submittedAt);
    history.resizes = in.optional("resizes", Long.class).orElse(0L);
    history.resizedAt = in.optionalText("resizedAt", Instant::parse).orElse(null);
    history.sizedAt = in.optionalText("sizedAt", Instant::parse).orElse(history.since);
    history.placedAt = in.optionalText("placedAt", Instant::parse).orElse(history.since);
    history.progressed =
        in.optionalText("progressed", GpuTime::parsed).orElse(history.executedUntilSized());
    history.drift = SpeedDrift.load(in);
    history.profiledAt = in.optionalText("profiledAt", Instant::parse).orElse(null);
    history.wasProfiled = in.optional("wasProfiled", Boolean.class).orElse(false);
    history.speeds = SpeedCurve.load(in.texts("speeds", SpeedCurve::point));
    history.gpuSpeeds = SeenSpeeds.load(in);
    return history;
  }

  Instant submittedAt() {
    return submittedAt;
  }

  Instant since() {
    return since;
  }

  /** Returns the time since which the running job has held its present GPUs. */
  public Instant sizedAt() {
    return sizedAt;
  }

  /** Returns the time at which the running job was last given GPUs: by a start, growth or move. */
  Instant placedAt() {
    return placedAt;
  }

  /** Notes that the job is given GPUs. */
  public void place(Instant now) {
    placedAt = now;
  }

  /** Returns the number of size changes decided so far. */
  public long resizes() {
    return resizes;
  }

  /** Returns the last time at which a size change ended or was given up; null if never. */
  public @Nullable Instant resizedAt() {
    return resizedAt;
  }

  /** Returns true if the job was asked to measure its speed. */
  public boolean wasProfiled() {
    return wasProfiled;
  }

  void noteProfile(Instant now) {
    wasProfiled = true;
    profiledAt = now;
  }

  /** Returns the last time of a measurement; null if never. */
  public @Nullable Instant profiledAt() {
    return profiledAt;
  }

  /** Returns the deviation of reported speeds from measured ones. */
  public SpeedDrift drift() {
    return drift;
  }

  /** Sets how far reported speeds have been from measured ones. */
  public void drift(SpeedDrift known) {
    drift = known;
  }

  /** Returns the observed speeds by size. */
  public SpeedCurve speeds() {
    return speeds;
  }

  /** Adds an observed speed at a size. */
  void observe(int size, double iterationsPerSecond) {
    speeds = speeds.with(size, iterationsPerSecond);
  }

  /** Adds measured speeds by size; drops earlier ones if they have drifted. */
  void measure(List<SizeSpeed> measured) {
    if (drift.hasDrifted()) {
      speeds = SpeedCurve.NONE;
    }
    measured.forEach(speed -> observe(speed.tasks(), speed.iterationsPerSecond()));
    drift = SpeedDrift.from(speeds);
  }

  /** Returns the run time before the present run. */
  public Duration executed() {
    return executed;
  }

  /** Returns the run time before the present size. */
  private Duration executedUntilSized() {
    return executed.plus(Duration.between(since, sizedAt));
  }

  /** Returns the observed speeds by GPU model. */
  public SeenSpeeds gpuSpeeds() {
    return gpuSpeeds;
  }

  /** Sets the speeds seen by GPU model. */
  public void gpuSpeeds(SeenSpeeds seen) {
    gpuSpeeds = seen;
  }

  /** Returns the progress as run time on the fastest GPUs. */
  Duration progressed() {
    return progressed;
  }

  /** Returns the progress as run time at the preferred size. */
  Duration worked() {
    return worked;
  }

  Duration attained() {
    return attained;
  }

  /** Returns the time of the last start, size change or report of remaining time. */
  Instant changedAt() {
    Instant known = sizedAt.isAfter(since) ? sizedAt : since;
    return remainingAt.isAfter(known) ? remainingAt : known;
  }

  /** Returns the remaining time that the job last reported, or null. */
  public @Nullable Duration remaining() {
    return remaining;
  }

  /** Returns the time of that report or of a later stop. */
  Instant remainingAt() {
    return remainingAt;
  }

  /** Returns how often the job was pre-empted. */
  public int preemptions() {
    return preemptions;
  }

  /** Returns the number of later jobs that plans have started while it was deferrable. */
  public int bypassed() {
    return bypassed;
  }

  /** Returns the number of consecutive failures. */
  public int failures() {
    return failures;
  }

  /**
   * Counts a failure; the first of a new row if the run before lasted longer than {@code reset}.
   */
  public void countFailure(Duration run, Duration reset) {
    failures = run.compareTo(reset) > 0 ? 1 : failures + 1;
  }

  void forgetFailures() {
    failures = 0;
  }

  /** Returns why its user holds the job; empty if it is not held. */
  public Optional<String> hold() {
    return Optional.ofNullable(hold);
  }

  /** Holds the job for a reason, or no longer if that is null. No order may hold it meanwhile. */
  public void holdFor(@Nullable String why) {
    hold = why;
  }

  /** Returns true if it has run before the present run, or may have: it was launched. */
  public boolean hasRun() {
    return hasRun;
  }

  /** Returns true if other values tell that it has run: all runs but one that took no time do. */
  private boolean showsRun() {
    return preemptions > 0 || !executed.isZero();
  }

  /** Notes a start whose beginning is reported: it may have run when nobody hears of that. */
  void noteLaunch() {
    hasRun = true;
  }

  /** Returns whether the job was seen where it runs. */
  public Sighting sighting() {
    return sighting;
  }

  /** Notes that the job was seen where it runs. */
  void see(Sighting how) {
    sighting = how;
  }

  void start(Instant now) {
    sighting = Sighting.NONE;
    since = now;
    sizedAt = now;
    placedAt = now;
  }

  /** Notes that a start that was decided before begins. */
  void begin(Instant now) {
    since = now;
    sizedAt = now;
  }

  /** Notes that the running job {@code last} holds other GPUs from now on. */
  void resize(Instant now, JobAtInstant last) {
    progressed = last.progressed();
    worked = last.worked();
    attained = last.attained();
    sizedAt = now;
  }

  /** Notes a change of pace of the running job {@code last}. */
  void changePace(Instant now, JobAtInstant last) {
    if (remaining != null) {
      remaining = last.remaining().orElse(null);
      remainingAt = now;
    }
    resize(now, last);
  }

  /** Counts a decided size change. */
  void countResize() {
    resizes++;
  }

  /**
   * Ends a size change.
   *
   * @param faster the ratio of the new speed to the old
   */
  void endResize(Instant now, Optional<Duration> left, double faster) {
    resizedAt = now;
    if (remaining != null && left.isPresent()) {
      remaining = GpuTime.divided(left.get(), faster);
      remainingAt = now;
    }
  }

  /** Notes a stop; {@code last} is the job at that time, or null if the run does not count. */
  void stop(Instant now, @Nullable JobAtInstant last) {
    if (last != null) {
      hasRun = true;
      remaining = remaining == null ? null : last.remaining().orElse(null);
      progressed = last.progressed();
      worked = last.worked();
      executed = last.executed();
      attained = last.attained();
    }
    remainingAt = now;
    since = now;
    sizedAt = now;
    placedAt = now;
  }

  /** Counts a pre-emption. */
  public void countPreemption() {
    preemptions++;
    hasRun = true;
  }

  /** Counts jobs that have bypassed this one while it waited. */
  public void countBypass(int jobs) {
    bypassed += jobs;
  }

  /** Notes a reported or computed remaining time on the fastest GPUs. */
  void report(Duration left, Instant now) {
    remaining = left;
    remainingAt = now;
  }
}
