package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.lab.reproduce.SharingComparison.Row;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares co-location policies: each with no co-location, with the best policy that predicts no
 * interference (chosen apart for work and for completion time), and with an oracle that knows all
 * pairs.
 */
final class SharingTable {

  private static final String COLUMNS =
      "policy | useful work | more work | vs oblivious | JCT (h) | shorter JCT | vs oblivious"
          + " | 95 % (h) | of oracle | below floor | evicted";

  private final IntConsumer watcher;
  private final List<Row> rows = new ArrayList<>();
  private final List<Row> oblivious = new ArrayList<>();
  private @Nullable Row exclusive;
  private @Nullable Row oracle;

  /** Makes a table that reports the number of rows after each. */
  SharingTable(IntConsumer watcher) {
    this.watcher = watcher;
  }

  private void row(Row row) {
    rows.add(row);
    watcher.accept(rows.size());
  }

  /** Adds the row without co-location. */
  void exclusive(Row row) {
    exclusive = row;
    row(row);
  }

  /** Adds a row of a policy that predicts no interference. */
  void oblivious(Row row) {
    oblivious.add(row);
    row(row);
  }

  /** Adds the rows of a predictor, which keeps nothing of a run, and of the oracle. */
  void predicted(
      SharingComparison comparison,
      InterferencePredictor trained,
      InterferencePredictor known,
      BatchWindow together) {
    row(comparison.predicted("predicted", trained, false));
    row(comparison.predicted("predicted, learning", trained, true));
    row(comparison.planned("planned, learning", trained, together));
    row(comparison.predicted("all known", known, false));
    oracle = comparison.planned("planned, all known", known, together);
    row(oracle);
  }

  /**
   * By how much a row is better than the best policy that predicts nothing, which may be another
   * one for work than for completion time.
   *
   * @param work more work, as a fraction
   * @param completion shorter completion time, as a fraction
   */
  record Gain(double work, double completion) {}

  /** Returns the gain of the row of that name. */
  Gain gain(String name) {
    Row row = rows.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    double most = oblivious.stream().mapToDouble(Row::useful).max().orElseThrow();
    double least = oblivious.stream().mapToDouble(Row::hours).min().orElseThrow();
    return new Gain(row.useful() / most - 1, 1 - row.hours() / least);
  }

  List<String> lines() {
    Table table = Table.of(COLUMNS);
    rows.forEach(row -> table.row(cells(row)));
    return table.lines();
  }

  private List<String> cells(Row row) {
    Row alone = Objects.requireNonNull(exclusive);
    Row known = Objects.requireNonNull(oracle);
    double most = oblivious.stream().mapToDouble(Row::useful).max().orElse(alone.useful());
    double least = oblivious.stream().mapToDouble(Row::hours).min().orElse(alone.hours());
    return List.of(
        row.name(),
        DisplayFormat.percent(row.useful()),
        DisplayFormat.percent(row.useful() / alone.useful() - 1),
        DisplayFormat.percent(row.useful() / most - 1),
        hours(row.hours()),
        DisplayFormat.percent(1 - row.hours() / alone.hours()),
        DisplayFormat.percent(1 - row.hours() / least),
        hours(row.longHours()),
        DisplayFormat.percent((alone.hours() - row.hours()) / (alone.hours() - known.hours())),
        String.format(Locale.ROOT, "%.2f %%", 100 * row.partBelow()),
        Integer.toString(row.evictions()));
  }

  private static String hours(double hours) {
    return String.format(Locale.ROOT, "%.2f", hours);
  }
}
