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
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The expected ends of running jobs, in nanoseconds since the epoch, and the expected lengths of
 * waiting ones: as told, else as similar jobs ran, else as assumed. Each time a job outlives what
 * was expected, its expected run time is doubled. Mutable; only the run times are state.
 */
final class ExpectedEnds {

  private final Backfill rules;
  private final JobTable jobs;
  // The jobs whose ends are watched. Never iterated.
  private final Map<JobId, JobSpec> specs = new HashMap<>();
  private RunTimes runTimes = new RunTimes();

  ExpectedEnds(Backfill rules, JobTable jobs) {
    this.rules = rules;
    this.jobs = jobs;
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
    specs.clear();
    Map<JobId, Slot<Placement>> slots = new LinkedHashMap<>();
    for (JobEntry job : jobs.running().inOrder()) {
      slots.put(job.id(), slot(job));
      started(job);
    }
    return slots;
  }

  private Slot<Placement> slot(JobEntry job) {
    return new Slot<>(
        new TimeWindow(GpuTime.nanos(job.since()), end(job)), job.placement().orElseThrow());
  }

  /** Watches the end of a job that has started. */
  void started(JobEntry job) {
    specs.put(job.id(), job.job());
  }

  /**
   * Reports to a schedule which jobs ended, started, moved or changed their expected ends.
   *
   * @param endsEarlier is told the placements of jobs that are now expected to end earlier
   */
  void update(BackfillSchedule<JobSpec, Placement> schedule, Consumer<Placement> endsEarlier) {
    long now = now();
    for (Slot<Placement> run : gone(schedule.running().values())) {
      schedule.ended(run.placement().job(), now);
      observe(run.placement().job(), now - run.window().start());
    }
    for (JobEntry job : jobs.running().inOrder()) {
      @Nullable Slot<Placement> run = schedule.running().get(job.id());
      if (run == null) {
        schedule.started(job.id(), slot(job));
        started(job);
      } else if (run.window().end() != end(job)) {
        if (end(job) < run.window().end()) {
          endsEarlier.accept(run.placement());
        }
        schedule.predictedEnd(job.id(), end(job));
        started(job);
      }
    }
  }

  private List<Slot<Placement>> gone(Collection<Slot<Placement>> runs) {
    List<Slot<Placement>> gone = new ArrayList<>();
    for (Slot<Placement> run : runs) {
      @Nullable JobEntry job = jobs.find(run.placement().job());
      if (job == null || !job.isRunning() || hasMoved(job, run)) {
        gone.add(run);
      }
    }
    return gone;
  }

  private static boolean hasMoved(JobEntry job, Slot<Placement> run) {
    return !job.placement().orElseThrow().equals(run.placement())
        || GpuTime.nanos(job.since()) != run.window().start();
  }

  private void observe(JobId job, long length) {
    JobSpec spec = Objects.requireNonNull(specs.remove(job));
    if (jobs.ended().ending(job).filter(Outcome.FINISHED::equals).isPresent()) {
      runTimes.observe(spec, length);
    }
  }

  /** Returns the expected end of a running job. */
  long end(JobEntry job) {
    long start = GpuTime.nanos(job.since());
    Instant known = job.knownAt();
    long expected = GpuTime.cappedSum(GpuTime.nanos(known), left(job, known));
    long length = Math.max(1, GpuTime.cappedSum(expected, -start));
    while (length < now() - start) {
      length = GpuTime.cappedSum(length, length);
    }
    return GpuTime.cappedSum(start, length);
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
