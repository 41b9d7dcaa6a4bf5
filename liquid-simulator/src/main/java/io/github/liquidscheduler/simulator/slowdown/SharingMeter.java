package io.github.liquidscheduler.simulator.slowdown;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationListener;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds up for how long GPUs are shared, what jobs really retain of their speed meanwhile, and for
 * how long guaranteed jobs are slower than their floor. An event costs the jobs whose placement it
 * changes and their co-runners. Not thread-safe.
 */
public final class SharingMeter implements SimulationListener {

  private final MeasuredJobs measured;
  private final Instant lastArrival;
  private final Map<JobId, SharedRun> running = new LinkedHashMap<>();
  private final Set<JobId> everShared = new HashSet<>();
  private SharedRun now = SharedRun.NONE;
  private SharedRun total = SharedRun.NONE;
  private final Instant start;
  private Instant since;
  private double workSeconds;
  private int stopped;
  private int moved;

  /** Makes a meter of one run of these jobs, which starts at the epoch. */
  public SharingMeter(MeasuredJobs measured) {
    this(measured, Instant.EPOCH);
  }

  /** Makes a meter of one run of these jobs, which starts at an instant. */
  public SharingMeter(MeasuredJobs measured, Instant start) {
    this.measured = measured;
    this.start = start;
    since = start;
    lastArrival = start.plus(measured.trace().jobs().getLast().submit());
  }

  /** Returns the report. */
  public SharingReport report() {
    return new SharingReport(
        total.held(),
        total.shared(),
        everShared.size(),
        total.sharing() == 0 ? 1 : total.retained() / total.sharing(),
        total.promised() == 0 ? 0 : total.below() / total.promised(),
        stopped,
        moved);
  }

  /**
   * Returns the work done until the last job came, in parts of what as many GPUs do with a job
   * alone on each. Only until then is it counted, since after it GPUs run empty.
   */
  public double useful(int gpus) {
    double seconds = seconds(start, lastArrival);
    return seconds == 0 ? 0 : workSeconds / (seconds * gpus);
  }

  @Override
  public void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
    passTo(event.at());
    Set<JobId> touched = new LinkedHashSet<>();
    if (event instanceof ClusterEvent.AboutJob about
        && !(event instanceof ClusterEvent.JobProgressed)) {
      touched.add(about.job());
    }
    for (Decision decision : decisions) {
      count(decision);
      if (decision instanceof Decision.AboutJob about) {
        touched.add(about.job());
      }
    }
    touched.forEach(job -> update(scheduler.view(), job));
  }

  private void passTo(Instant time) {
    Instant counted = time.isBefore(lastArrival) ? time : lastArrival;
    workSeconds += Math.max(0, seconds(since, counted)) * now.work();
    total = total.plus(now, seconds(since, time));
    since = time;
  }

  private void count(Decision decision) {
    switch (decision) {
      case Decision.Preempt stop -> stopped += isInterference(stop.why()) ? 1 : 0;
      case Decision.Migrate move -> moved += isInterference(move.why()) ? 1 : 0;
      default -> {
        // Nobody else is separated.
      }
    }
  }

  private static boolean isInterference(Reason why) {
    return why instanceof Reason.InterferenceViolation;
  }

  private void update(ClusterView view, JobId job) {
    Set<JobId> beside = new LinkedHashSet<>(coRunners(job));
    count(view, job);
    beside.addAll(coRunners(job));
    beside.forEach(other -> count(view, other));
  }

  private List<JobId> coRunners(JobId job) {
    @Nullable SharedRun run = running.get(job);
    return run == null ? List.of() : run.coRunners();
  }

  private void count(ClusterView view, JobId job) {
    @Nullable SharedRun before = running.remove(job);
    if (before != null) {
      now = now.plus(before, -1);
    }
    if (view.placement(job).isPresent()) {
      SharedRun run = SharedRun.of(view, job, measured);
      running.put(job, run);
      now = now.plus(run, 1);
      if (!run.coRunners().isEmpty()) {
        everShared.add(job);
      }
    } else if (running.isEmpty()) {
      // So that rounding does not add up.
      now = SharedRun.NONE;
    }
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toNanos() / 1e9;
  }
}
