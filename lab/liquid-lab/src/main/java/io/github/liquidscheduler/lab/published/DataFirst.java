package io.github.liquidscheduler.lab.published;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.simulator.storage.JobLaunches;
import io.github.liquidscheduler.simulator.storage.LaunchReport;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How long GPUs idle while jobs launch if data sets are brought before jobs start, after Liquid's
 * pre-scheduling data transmission (Gu et al., TPDS 33(11), 2022, section 5.1). A launch starts
 * processes and reads what is not on the node over a path that all share; {@code
 * lab/liquid-lab/docs/reference-simulators.md} has the conditions. Mutable: for one run.
 */
public final class DataFirst {
  private final ReadingLoad load;
  private final boolean knowsData;
  private final VirtualPlatform platform = new VirtualPlatform();
  private final Map<JobId, Duration> lengths = new HashMap<>();
  private final Set<JobId> submittedNow = new HashSet<>();
  private final LiquidScheduler scheduler;
  private final JobLaunches launches;
  private Runnable callOff = () -> {};
  private double starting;
  private double unforeseen;

  /**
   * What came of a run.
   *
   * @param idle GPU-seconds in launches
   * @param starting those of them in which processes start, which bringing data does not shorten
   * @param unforeseen those of them in which jobs read that started when they were submitted, of
   *     which nobody knew before
   * @param brought bytes that were brought beforehand
   * @param wasted those of them that no job has read
   */
  public record Outcome(
      double idle, double starting, double unforeseen, double brought, double wasted) {

    /** Returns the part of the idle time that would be saved if all else were brought in time. */
    public double bound() {
      return 1 - (starting + unforeseen) / idle;
    }
  }

  private DataFirst(ReadingLoad load, @Nullable Prefetching rules) {
    this.load = load;
    knowsData = rules != null;
    LiquidScheduler.Builder builder =
        LiquidScheduler.builder(load.cluster()).policy(Policies.bestEffortFifo());
    scheduler = (rules == null ? builder : builder.prefetch(rules)).build();
    launches = new JobLaunches(load.cluster(), load.path(), platform, this::tell);
  }

  /** Runs a load by these rules, or with data sets read at launches only. */
  public static Outcome run(ReadingLoad load, Optional<Prefetching> rules) {
    return new DataFirst(load, rules.orElse(null)).run();
  }

  private Outcome run() {
    for (ReadingLoad.Arrival arrival : load.jobs()) {
      lengths.put(arrival.job().id(), arrival.length());
      platform.schedule(arrival.at(), () -> submit(arrival.job()));
    }
    platform.run();
    LaunchReport report = launches.report();
    return new Outcome(
        report.gpuSeconds(), starting, unforeseen, report.prefetchedBytes(), report.wastedBytes());
  }

  private void submit(JobSpec job) {
    submittedNow.add(job.id());
    on(new ClusterEvent.JobSubmitted(platform.instant(), job));
    submittedNow.clear();
  }

  private void on(ClusterEvent event) {
    for (Decision decision : scheduler.on(event)) {
      switch (decision) {
        case Decision.Start start ->
            new Run(scheduler.job(start.job()).orElseThrow()).begin(start.placement());
        case Decision.Prefetch prefetch -> launches.bring(prefetch);
        case Decision.CancelPrefetch cancel -> launches.cancel(cancel);
        default -> throw new IllegalStateException("nobody asked for " + decision);
      }
    }
    callOff.run();
    Instant now = platform.instant();
    callOff =
        scheduler
            .nextWakeUp()
            .map(
                at ->
                    platform.schedule(
                        at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO,
                        () -> on(new ClusterEvent.TimePassed(platform.instant()))))
            .orElse(() -> {});
  }

  private void tell(ClusterEvent event) {
    if (knowsData) {
      on(event);
    }
  }

  /** A job that launches, trains and ends. */
  private final class Run {
    private final JobSpec job;
    private final boolean isUnforeseen;
    private final Instant begun = platform.instant();
    private JobLaunches.@Nullable Launch launch;

    Run(JobSpec job) {
      this.job = job;
      isUnforeseen = submittedNow.contains(job.id());
    }

    void begin(Placement placement) {
      launch = launches.begin(job, placement, load.processes(), this::train);
    }

    private void train() {
      double taken = seconds(Duration.between(begun, platform.instant()));
      double processes = seconds(load.processes());
      starting += job.gpus() * processes;
      unforeseen += isUnforeseen ? job.gpus() * (taken - processes) : 0;
      platform.schedule(Objects.requireNonNull(lengths.get(job.id())), this::end);
    }

    private void end() {
      Objects.requireNonNull(launch).leave();
      on(new ClusterEvent.JobFinished(platform.instant(), job.id()));
    }
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
