package io.github.liquidscheduler.simulator.comparison;

import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.metrics.DurationDistribution;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.function.Function;

/** What runs of one trace are compared by. Times are of the jobs that finished. */
public enum RunFigure {
  /** Average completion time. */
  AVERAGE_JCT("avg_jct", "Average JCT", completion(DurationDistribution::average)),
  /** Median completion time. */
  MEDIAN_JCT("median_jct", "Median JCT", completion(DurationDistribution::median)),
  /** What 95 % of the completion times stay under. */
  P95_JCT("p95_jct", "p95 JCT", completion(times -> times.percentile(95))),
  /** What 99 % of the completion times stay under. */
  P99_JCT("p99_jct", "p99 JCT", completion(times -> times.percentile(99))),
  /** Average time in the system without running. */
  AVERAGE_WAIT("avg_wait", "Average wait", queueing(DurationDistribution::average)),
  /** What 95 % of those times stay under. */
  P95_WAIT("p95_wait", "p95 wait", queueing(times -> times.percentile(95))),
  /** From the first submission to the last end. */
  MAKESPAN("makespan", "Makespan", time(JctStatistics::makespan)),
  /** GPU time held by jobs, of that of the cluster. */
  ALLOCATION(
      "gpu_allocation",
      "GPU allocation",
      Unit.FRACTION,
      false,
      result -> OptionalDouble.of(result.usage().utilization())),
  /** Share of the free GPUs on nodes too full for the largest waiting job. */
  FRAGMENTATION(
      "fragmentation",
      "Fragmentation",
      Unit.FRACTION,
      true,
      result -> result.usage().fragmentation()),
  /** How often a running job had to leave. */
  PREEMPTIONS(
      "preemptions",
      "Pre-emptions",
      Unit.COUNT,
      true,
      result -> OptionalDouble.of((double) result.counts().preemptions()));

  /** How a figure is written and compared. */
  public enum Unit {
    /** Seconds. */
    TIME,
    /** Of one. */
    FRACTION,
    /** A number of something. */
    COUNT
  }

  private final String key;
  private final String title;
  private final Unit unit;
  private final boolean lessIsBetter;
  private final Function<SimulationResult, OptionalDouble> value;

  RunFigure(String key, String title, Function<SimulationResult, OptionalDouble> value) {
    this(key, title, Unit.TIME, true, value);
  }

  RunFigure(
      String key,
      String title,
      Unit unit,
      boolean lessIsBetter,
      Function<SimulationResult, OptionalDouble> value) {
    this.key = key;
    this.title = title;
    this.unit = unit;
    this.lessIsBetter = lessIsBetter;
    this.value = value;
  }

  /** Returns its name in files, such as {@code avg_jct}. */
  public String key() {
    return key;
  }

  /** Returns its name for people, such as {@code Average JCT}. */
  public String title() {
    return title;
  }

  /** Returns its format and comparison. */
  public Unit unit() {
    return unit;
  }

  /** Returns true if a run with less of it is better. */
  public boolean isLessBetter() {
    return lessIsBetter;
  }

  /** Returns that of a run, in seconds for times; empty where there is none. */
  public OptionalDouble of(SimulationResult result) {
    return value.apply(result);
  }

  private static Function<SimulationResult, OptionalDouble> completion(
      Function<DurationDistribution, Duration> figure) {
    return time(statistics -> figure.apply(statistics.completion()));
  }

  private static Function<SimulationResult, OptionalDouble> queueing(
      Function<DurationDistribution, Duration> figure) {
    return time(statistics -> figure.apply(statistics.queueing()));
  }

  private static Function<SimulationResult, OptionalDouble> time(
      Function<JctStatistics, Duration> figure) {
    return result ->
        result.statistics().isEmpty()
            ? OptionalDouble.empty()
            : OptionalDouble.of(seconds(figure.apply(result.statistics().get())));
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1e3;
  }
}
