package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.cli.sharing.SharingComparison;
import io.github.liquidscheduler.cli.sharing.SharingComparison.Row;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
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

  /** Adds the rows of a predictor, trained anew for each, and of the oracle. */
  void predicted(
      SharingComparison comparison,
      Supplier<CompositePredictor> training,
      InterferencePredictor known,
      BatchWindow together) {
    try (CompositePredictor still = training.get()) {
      row(comparison.predicted("predicted", still, false));
    }
    try (CompositePredictor learning = training.get()) {
      row(comparison.predicted("predicted, learning", learning, true));
    }
    try (CompositePredictor learning = training.get()) {
      row(comparison.planned("planned, learning", learning, together));
    }
    row(comparison.predicted("all known", known, false));
    oracle = comparison.planned("planned, all known", known, together);
    row(oracle);
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
