package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.timeline.BackfillSchedule;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduler.time.Overrun;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/*
 * Idea: an end is computed again only for a running job that has changed, or whose end has passed;
 *   for all where the median run time of some kind has changed.
 * Invariants: the slots of a schedule are those that a restored scheduler computes for all running
 *   jobs (ReservationOrderLaws, RecoveryLaws).
 * Cost: O(log running jobs) for each changed job.
 */
/**
 * The expected ends of running jobs, in nanoseconds since the epoch, and the expected lengths of
 * waiting ones: as told, else as similar jobs ran, else as assumed, and {@linkplain Overrun later}
 * if a job outlives that. Mutable; only the run times are state.
 */
final class ExpectedEnds {

  private final Backfill rules;
  private final JobTable jobs;
  private final LoosenedNodes loosened;
  // The jobs whose ends are watched.
  private final Map<JobId, Watched> watched = new HashMap<>();
  private final NavigableSet<Watched> bySoonest = new TreeSet<>(Watched.SOONEST_FIRST);
  private RunTimes runTimes = new RunTimes();
  private long runTimesSeen;

  /** A running job with the end that the schedule has of it. */
  private record Watched(JobId job, JobSpec spec, long end) {
    static final Comparator<Watched> SOONEST_FIRST =
        Comparator.comparingLong(Watched::end).thenComparing(each -> each.job().value());
  }

  /**
   * Makes expectations of no job.
   *
   * @param loosened is told where jobs are expected to end earlier
   */
  ExpectedEnds(Backfill rules, JobTable jobs, LoosenedNodes loosened) {
    this.rules = rules;
    this.jobs = jobs;
    this.loosened = loosened;
  }

  /** Returns the observed run times. */
  RunTimes runTimes() {
    return runTimes;
  }

  /** Restores the observed run times. */
  void resume(RunTimes saved) {
    runTimes = saved;
  }

  /** Returns the slots of all jobs that run now, and watches them. */
  Map<JobId, Slot<Placement>> slots() {
    watched.clear();
    bySoonest.clear();
    jobs.running().takeChanged();
    runTimesSeen = runTimes.version();
    Map<JobId, Slot<Placement>> slots = new LinkedHashMap<>();
    for (JobEntry job : jobs.running().inOrder()) {
      Slot<Placement> slot = slot(job);
      slots.put(job.id(), slot);
      started(job, slot);
    }
    return slots;
  }

  private Slot<Placement> slot(JobEntry job) {
    return new Slot<>(
        new TimeWindow(GpuTime.nanos(job.since()), end(job)), job.placement().orElseThrow());
  }

  /** Watches the end of a job that has started, or is expected to end at another time. */
  void started(JobEntry job, Slot<Placement> slot) {
    @Nullable Watched known = watched.get(job.id());
    if (known != null) {
      bySoonest.remove(known);
    }
    Watched now = new Watched(job.id(), job.job(), slot.window().end());
    watched.put(job.id(), now);
    bySoonest.add(now);
  }

  /** Returns the first end of a slot; {@link TimeWindow#FOREVER} if nobody runs. */
  long soonest() {
    return bySoonest.isEmpty() ? TimeWindow.FOREVER : bySoonest.first().end();
  }

  /** Reports to a schedule which jobs ended, started, moved or changed their expected ends. */
  void update(BackfillSchedule<JobSpec, Placement> schedule) {
    Set<JobId> changed = takeChanged();
    for (JobId id : changed) {
      @Nullable Slot<Placement> run = schedule.running().get(id);
      if (run != null && isGone(run)) {
        schedule.ended(id, now());
        observe(id, now() - run.window().start());
      }
    }
    for (JobId id : changed) {
      @Nullable JobEntry job = jobs.find(id);
      if (job != null && job.isRunning()) {
        update(job, schedule);
      }
    }
  }

  /** Returns the jobs whose slots may have changed, in the order of their starts. */
  private Set<JobId> takeChanged() {
    Set<JobId> changed = new LinkedHashSet<>();
    jobs.running().takeChanged().forEach(job -> changed.add(job.id()));
    if (runTimesSeen != runTimes.version()) {
      runTimesSeen = runTimes.version();
      jobs.running().inOrder().forEach(job -> changed.add(job.id()));
    } else {
      // What is expected of them has not come true.
      for (Watched each : bySoonest) {
        if (each.end() >= now()) {
          break;
        }
        changed.add(each.job());
      }
    }
    return changed;
  }

  private void update(JobEntry job, BackfillSchedule<JobSpec, Placement> schedule) {
    @Nullable Slot<Placement> run = schedule.running().get(job.id());
    Slot<Placement> slot = slot(job);
    if (run == null) {
      schedule.started(job.id(), slot);
      started(job, slot);
    } else if (run.window().end() != slot.window().end()) {
      if (slot.window().end() < run.window().end()) {
        loosened.add(run.placement());
      }
      schedule.predictedEnd(job.id(), slot.window().end());
      started(job, slot);
    }
  }

  /** Returns true if a job no longer runs in a slot. */
  private boolean isGone(Slot<Placement> run) {
    @Nullable JobEntry job = jobs.find(run.placement().job());
    return job == null || !job.isRunning() || hasMoved(job, run);
  }

  private static boolean hasMoved(JobEntry job, Slot<Placement> run) {
    return !job.placement().orElseThrow().equals(run.placement())
        || GpuTime.nanos(job.since()) != run.window().start();
  }

  private void observe(JobId job, long length) {
    Watched gone = Objects.requireNonNull(watched.remove(job));
    bySoonest.remove(gone);
    if (jobs.ended().ending(job).filter(Outcome.FINISHED::equals).isPresent()) {
      runTimes.observe(gone.spec(), length);
    }
  }

  /** Returns the expected end of a running job. */
  long end(JobEntry job) {
    Instant known = job.knownAt();
    long expected = GpuTime.cappedSum(GpuTime.nanos(known), left(job, known));
    return Overrun.end(GpuTime.nanos(job.since()), expected, now());
  }

  /** Returns the expected end of a running job if it goes on at another placement now. */
  long endAt(JobEntry job, Placement to) {
    Instant at = jobs.now();
    Optional<Duration> remaining = job.at(at).remaining();
    if (remaining.isEmpty() || jobs.speeds().isEmpty()) {
      return end(job);
    }
    double speed =
        jobs.speeds().get().at(job.job(), job.history().gpuSpeeds(), to, jobs.cluster().topology());
    long left = GpuTime.nanos(GpuTime.divided(remaining.get(), speed));
    return Overrun.end(GpuTime.nanos(job.since()), GpuTime.cappedSum(now(), left), now());
  }

  /** Returns the remaining run time: as expected, else as similar jobs ran, else as assumed. */
  long left(JobEntry job, Instant at) {
    Optional<Duration> remaining = job.at(at).remaining();
    return remaining.isPresent()
        ? GpuTime.nanos(GpuTime.divided(remaining.get(), speed(job)))
        : runTimes.expected(job.job()).orElse(GpuTime.nanos(rules.assumedRunTime()));
  }

  /**
   * Returns the relative speed of a job on its GPUs; for a waiting job, on the slowest it may get.
   */
  private double speed(JobEntry job) {
    return job.isRunning() || jobs.speeds().isEmpty()
        ? job.speed().gpu()
        : jobs.speeds()
            .get()
            .slowest(job.job(), job.history().gpuSpeeds(), jobs.cluster().topology());
  }

  private long now() {
    return GpuTime.nanos(jobs.now());
  }
}
