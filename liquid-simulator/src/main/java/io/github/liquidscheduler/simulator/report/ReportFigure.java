package io.github.liquidscheduler.simulator.report;

import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.metrics.DurationDistribution;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A figure of a run.
 *
 * @param name what it is
 * @param unit how it is written and compared
 * @param value seconds, a fraction or a number, by the unit
 * @param isLessBetter whether a run with less of it is better
 */
record ReportFigure(String name, Unit unit, double value, boolean isLessBetter) {

  /** How a figure is written and compared. */
  enum Unit {
    TIME,
    FRACTION,
    COUNT
  }

  /** Returns the figures of a run, the most important first; times only if a job finished. */
  static List<ReportFigure> all(SimulationResult result) {
    List<ReportFigure> figures = new ArrayList<>();
    if (result.statistics().isPresent()) {
      addTimes(figures, result.statistics().get());
    }
    figures.add(
        new ReportFigure("GPU allocation", Unit.FRACTION, result.usage().utilization(), false));
    result
        .usage()
        .fragmentation()
        .ifPresent(
            value -> figures.add(new ReportFigure("Fragmentation", Unit.FRACTION, value, true)));
    figures.add(new ReportFigure("Pre-emptions", Unit.COUNT, result.counts().preemptions(), true));
    return figures;
  }

  private static void addTimes(List<ReportFigure> figures, JctStatistics statistics) {
    DurationDistribution jct = statistics.completion();
    DurationDistribution wait = statistics.queueing();
    figures.add(time("Average JCT", jct.average()));
    figures.add(time("Median JCT", jct.median()));
    figures.add(time("p95 JCT", jct.percentile(95)));
    figures.add(time("p99 JCT", jct.percentile(99)));
    figures.add(time("Average wait", wait.average()));
    figures.add(time("p95 wait", wait.percentile(95)));
    figures.add(time("Makespan", statistics.makespan()));
  }

  private static ReportFigure time(String name, Duration value) {
    return new ReportFigure(name, Unit.TIME, value.toMillis() / 1e3, true);
  }

  /** Returns the value for people. */
  String text() {
    return switch (unit) {
      case TIME -> ReportText.time(value);
      case FRACTION -> ReportText.percent(value);
      case COUNT -> ReportText.count((long) value);
    };
  }

  /** Returns how it differs from the same figure of another run, for people. */
  String comparedWith(ReportFigure other) {
    double difference = value - other.value;
    String amount =
        switch (unit) {
          case TIME -> other.value == 0 ? ReportText.time(Math.abs(difference)) : relative(other);
          case FRACTION -> ReportText.points(Math.abs(difference));
          case COUNT -> ReportText.count((long) Math.abs(difference));
        };
    if (isSame(other)) {
      return "the same";
    }
    String sign = isBetterThan(other) ? "✓ " : "▲ ";
    return sign + amount + (difference > 0 ? " more" : " less");
  }

  private String relative(ReportFigure other) {
    return ReportText.wholePercent(Math.abs(value / other.value - 1));
  }

  boolean isBetterThan(ReportFigure other) {
    return !isSame(other) && value < other.value == isLessBetter;
  }

  boolean isSame(ReportFigure other) {
    return text().equals(other.text());
  }
}
