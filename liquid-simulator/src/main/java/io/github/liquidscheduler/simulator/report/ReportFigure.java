package io.github.liquidscheduler.simulator.report;

import io.github.liquidscheduler.simulator.comparison.ComparedPolicy;
import io.github.liquidscheduler.simulator.comparison.RunFigure;
import io.github.liquidscheduler.simulator.comparison.RunFigures;
import io.github.liquidscheduler.simulator.metrics.MeanInterval;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A figure of a policy, draw by draw; in seconds for times. */
@SuppressWarnings("ArrayRecordComponent")
record ReportFigure(RunFigure figure, double[] values) {

  /** Below this, two averages of one run each are called equal: half a per cent. */
  private static final double EQUAL = 0.005;

  /** Returns the figures that all runs have, the most important first. */
  static List<ReportFigure> all(List<RunFigures> runs) {
    return Arrays.stream(RunFigure.values())
        .flatMap(
            figure ->
                RunFigures.values(figure, runs).stream()
                    .map(values -> new ReportFigure(figure, values)))
        .toList();
  }

  String name() {
    return figure.title();
  }

  /** Returns the mean over the runs. */
  double value() {
    return MeanInterval.of(values).mean();
  }

  /** Returns the mean for people. */
  String text() {
    return text(value());
  }

  /** Returns the confidence margin as text; empty if the runs do not tell. */
  Optional<String> interval() {
    double halfWidth = MeanInterval.of(values).halfWidth();
    return hasInterval() && halfWidth > 0 ? Optional.of("± " + text(halfWidth)) : Optional.empty();
  }

  private String text(double amount) {
    return switch (figure.unit()) {
      case TIME -> ReportText.time(amount);
      case FRACTION -> ReportText.percent(amount);
      case COUNT -> ReportText.count(Math.round(amount));
    };
  }

  private boolean hasInterval() {
    return values.length >= ComparedPolicy.FEWEST_RUNS;
  }

  /** Returns the difference from the same figure of another policy as text. */
  String comparedWith(ReportFigure other) {
    if (isSame(other)) {
      return hasInterval() ? "no clear difference" : "the same";
    }
    double difference = value() - other.value();
    String amount =
        switch (figure.unit()) {
          case TIME -> other.value() == 0 ? text(Math.abs(difference)) : relativeText(other);
          case FRACTION -> ReportText.points(Math.abs(difference));
          case COUNT -> text(Math.abs(difference));
        };
    String sign = isBetterThan(other) ? "✓ " : "▲ ";
    return sign + amount + (difference > 0 ? " more" : " less");
  }

  /** Returns the relative difference from another policy's figure, which is not zero. */
  MeanInterval relative(ReportFigure other) {
    return MeanInterval.relative(values, other.values);
  }

  /** Returns that fraction without its sign, with its interval where there are enough runs. */
  String relativeText(ReportFigure other) {
    MeanInterval relative = relative(other);
    String amount = ReportText.wholePercent(Math.abs(relative.mean()));
    return hasInterval()
        ? amount + String.format(Locale.ROOT, " (± %.0f)", 100 * relative.halfWidth())
        : amount;
  }

  boolean isBetterThan(ReportFigure other) {
    return !isSame(other) && value() < other.value() == figure.isLessBetter();
  }

  /** Returns true if it cannot be told from that of another policy. */
  boolean isSame(ReportFigure other) {
    return hasInterval() ? differences(other).containsZero() : text().equals(other.text());
  }

  /** Returns true if the averages are about equal, as far as the runs tell. */
  boolean isAboutEqual(ReportFigure other) {
    return hasInterval() ? isSame(other) : Math.abs(relative(other).mean()) < EQUAL;
  }

  private MeanInterval differences(ReportFigure other) {
    double[] differences = new double[values.length];
    for (int run = 0; run < values.length; run++) {
      differences[run] = values[run] - other.values[run];
    }
    return MeanInterval.of(differences);
  }
}
