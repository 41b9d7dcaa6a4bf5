package io.github.liquidscheduler.runtime.forecast;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.RunTimeScenario;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: run times of ended and running jobs, relative to the expected duration where there is one,
 *   else in seconds, yield scenarios by Latin hypercube sampling of the conditional distribution.
 * Invariants: over all scenarios a job's lengths are evenly spread quantiles, in an order of its
 *   own given by its id; same observations, same scenarios (ForecastLaws).
 * Cost: observe is O(decisions); scenarios is O(n log n) in remembered ends and open jobs; a
 *   sampled run time is O(log n).
 * Source: Nelson-Aalen estimator with delayed entry (RunTimeDistribution); Latin hypercube
 *   sampling, McKay et al., 1979.
 */
/**
 * Run times of ended and running jobs, relative to expected durations where known, else in seconds.
 * They yield scenarios in which each job takes the run time of a past job that reached its age;
 * over all scenarios the lengths of one job cover its distribution evenly, in an order of its own
 * (Latin hypercube).
 *
 * <p>The last {@value #REMEMBERED} ends and all open jobs count. Mutable.
 */
final class RunTimeRecords {

  /** The number of scenarios: a prime, so that each job has its own order. */
  static final int SCENARIOS = 19;

  private static final int REMEMBERED = 1000;
  private static final int LEAST = 20;

  /** The longest run time: sixty years, in nanoseconds. */
  private static final double LONGEST = 2e18;

  private final Map<JobId, Run> open = new LinkedHashMap<>();
  private final Deque<Ended> ended = new ArrayDeque<>();

  /** A job that has not ended, and the seconds it ran before its last start. */
  private record Run(JobSpec spec, double before, @Nullable Instant since) {
    Run of(JobSpec updated) {
      return new Run(updated, before, since);
    }

    Run startedAt(Instant now) {
      return new Run(spec, before, now);
    }

    Run stoppedAt(Instant now) {
      return new Run(spec, executed(now), null);
    }

    double executed(Instant now) {
      return since == null ? before : before + seconds(since, now);
    }

    SnapshotSection save() {
      return SnapshotSection.builder()
          .put("job", spec)
          .put("before", before)
          .text("since", Optional.ofNullable(since))
          .build();
    }

    static Run load(SnapshotSection.Reader in) {
      return new Run(
          in.value("job", JobSpec.class),
          in.value("before", Double.class),
          in.optionalText("since", Instant::parse).orElse(null));
    }
  }

  /**
   * A job that has ended: the duration that was expected, and the seconds it ran; at least, if it
   * had been stopped before.
   */
  private record Ended(Instant at, Optional<Duration> expected, double executed, boolean isWhole) {
    SnapshotSection save() {
      return SnapshotSection.builder()
          .text("at", at)
          .text("expected", expected)
          .put("executed", executed)
          .put("whole", isWhole)
          .build();
    }

    static Ended load(SnapshotSection.Reader in) {
      return new Ended(
          in.text("at", Instant::parse),
          in.optionalText("expected", Duration::parse),
          in.value("executed", Double.class),
          in.value("whole", Boolean.class));
    }
  }

  /** Returns what is remembered. */
  SnapshotSection save() {
    return SnapshotSection.builder()
        .list("open", open.values(), Run::save)
        .list("ended", ended, Ended::save)
        .build();
  }

  /** Returns what was remembered. */
  static RunTimeRecords load(SnapshotSection.Reader in) {
    RunTimeRecords records = new RunTimeRecords();
    in.list("open", SnapshotSection.class, run -> run.read(Run::load))
        .forEach(run -> records.open.put(run.spec.id(), run));
    records.ended.addAll(in.list("ended", SnapshotSection.class, each -> each.read(Ended::load)));
    return records;
  }

  /** Returns true if a job is known and has not started. */
  boolean isWaiting(JobId job) {
    @Nullable Run run = open.get(job);
    return run != null && run.since == null;
  }

  /** Records an event and its decisions; unknown jobs are ignored. */
  void observe(ClusterEvent event, List<Decision> decisions) {
    event.events().forEach(this::observe);
    decisions.forEach(decision -> observe(decision, event.at()));
  }

  private void observe(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.JobSubmitted submitted ->
          open.put(submitted.job(), new Run(submitted.spec(), 0, null));
      case ClusterEvent.JobUpdated updated ->
          open.computeIfPresent(updated.job(), (job, run) -> run.of(updated.spec()));
      case ClusterEvent.JobAdopted adopted -> adopt(adopted);
      case ClusterEvent.JobStarted started ->
          open.computeIfPresent(started.job(), (job, run) -> run.startedAt(event.at()));
      case ClusterEvent.JobFinished finished -> end(finished.job(), event.at());
      case ClusterEvent.JobCancelled cancelled -> open.remove(cancelled.job());
      case ClusterEvent.JobFailed failed -> fail(failed);
      default -> {}
    }
  }

  private void observe(Decision decision, Instant now) {
    switch (decision) {
      case Decision.Start start ->
          open.computeIfPresent(start.job(), (job, run) -> run.startedAt(now));
      case Decision.Preempt stop ->
          open.computeIfPresent(stop.job(), (job, run) -> run.stoppedAt(now));
      case Decision.Reject reject -> open.remove(reject.job());
      default -> {}
    }
  }

  private void adopt(ClusterEvent.JobAdopted adopted) {
    Run known = open.getOrDefault(adopted.job(), new Run(adopted.spec(), 0, null));
    Run run = known.of(adopted.spec());
    open.put(adopted.job(), run.since == null ? run.startedAt(adopted.since()) : run);
  }

  /** Records an end, of a failed job too: both leave their GPUs. */
  private void end(JobId job, Instant now) {
    @Nullable Run run = open.remove(job);
    if (run == null) {
      return;
    }
    ended.addLast(new Ended(now, expected(run.spec), run.executed(now), run.since != null));
    if (ended.size() > REMEMBERED) {
      ended.removeFirst();
    }
  }

  private void fail(ClusterEvent.JobFailed failed) {
    @Nullable Run run = open.get(failed.job());
    boolean hasRun = failed.failure() != Failure.NOT_STARTED;
    if (hasRun) {
      end(failed.job(), failed.at());
    } else {
      open.remove(failed.job());
    }
    if (run != null && failed.retry().again()) {
      JobSpec again = failed.updated().orElse(run.spec);
      open.put(failed.job(), new Run(again, hasRun ? 0 : run.before, null));
    }
  }

  /**
   * Returns the scenarios; a single one if too few jobs have ended, or if all ran as expected.
   *
   * @param isRunning tests whether a started job still runs
   */
  List<RunTimeScenario> scenarios(Instant now, Predicate<JobId> isRunning) {
    if (ended.size() < LEAST) {
      return List.of(RunTimeRecords::expected);
    }
    RunTimeDistribution told = distribution(true, now, isRunning);
    RunTimeDistribution untold = distribution(false, now, isRunning);
    if (told.isOne() && open.values().stream().allMatch(run -> isTold(run.spec))) {
      return List.of(RunTimeRecords::expected);
    }
    return IntStream.range(0, SCENARIOS)
        .mapToObj(number -> scenario(told, untold, number))
        .toList();
  }

  private static RunTimeScenario scenario(
      RunTimeDistribution told, RunTimeDistribution untold, int number) {
    return (job, ran) -> {
      RunTimeDistribution distribution = isTold(job) ? told : untold;
      if (distribution.isEmpty()) {
        return expected(job, ran);
      }
      double unit = unit(job);
      double lasted = seconds(ran) / unit;
      return Optional.of(duration(unit * distribution.given(lasted, quantile(job.id(), number))));
    };
  }

  /** Returns the distribution observed since the oldest remembered end. */
  private RunTimeDistribution distribution(
      boolean isTold, Instant now, Predicate<JobId> isRunning) {
    Instant from = ended.size() < REMEMBERED ? Instant.MIN : ended.getFirst().at;
    List<RunTimeDistribution.Span> spans = new ArrayList<>();
    for (Ended each : ended) {
      if (each.expected.isPresent() == isTold) {
        spans.add(span(unit(each.expected), each.executed, each.at, from, each.isWhole));
      }
    }
    for (Run run : open.values()) {
      if (run.since != null && isTold(run.spec) == isTold && isRunning.test(run.spec.id())) {
        spans.add(span(unit(run.spec), run.executed(now), now, from, false));
      }
    }
    return new RunTimeDistribution(spans);
  }

  private static RunTimeDistribution.Span span(
      double unit, double executed, Instant to, Instant from, boolean isEnded) {
    double before = from.equals(Instant.MIN) ? 0 : Math.max(0, executed - seconds(from, to));
    return new RunTimeDistribution.Span(before / unit, executed / unit, isEnded);
  }

  private static Optional<Duration> expected(JobSpec job, Duration ran) {
    return expected(job);
  }

  private static Optional<Duration> expected(JobSpec job) {
    return job.expectedWork().flatMap(ExpectedWork::duration);
  }

  private static boolean isTold(JobSpec job) {
    return expected(job).isPresent();
  }

  /** Returns the unit of a job's lengths, in seconds. */
  private static double unit(JobSpec job) {
    return unit(expected(job));
  }

  private static double unit(Optional<Duration> expected) {
    return expected.map(each -> Math.max(1e-9, seconds(each))).orElse(1.0);
  }

  private static double quantile(JobId job, int number) {
    long hash = mixed(mixed(job.value().hashCode()));
    long step = 1 + Long.remainderUnsigned(hash, SCENARIOS - 1);
    long first = Long.remainderUnsigned(hash >>> 20, SCENARIOS);
    return (Math.floorMod(step * number + first, SCENARIOS) + .5) / SCENARIOS;
  }

  /** Spreads hash codes, which are similar for ids that differ in their last letter. */
  private static long mixed(long hash) {
    long mixed = hash * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 32);
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos(Math.round(Math.min(seconds * 1e9, LONGEST)));
  }

  /** Returns the seconds between two instants, 0 if negative. */
  static double seconds(Instant from, Instant to) {
    return Math.max(0, seconds(Duration.between(from, to)));
  }

  private static double seconds(Duration time) {
    return time.toSeconds() + time.toNanosPart() / 1e9;
  }
}
