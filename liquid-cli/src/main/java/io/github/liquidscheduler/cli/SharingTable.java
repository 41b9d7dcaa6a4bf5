package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.sharing.SharingComparison.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Ways of sharing GPUs beside each other: each beside sharing nothing, beside the best of those
 * that predict nothing (of all of them, for work and for completion time apart), and what it gains
 * of what knowing every pair does.
 */
final class SharingTable {

  private static final List<String> HEADER =
      List.of(
          "sharing",
          "useful work",
          "more",
          "than blind",
          "JCT (h)",
          "shorter",
          "than blind",
          "95 % (h)",
          "of oracle",
          "below floor",
          "parted");

  private final IntConsumer watcher;
  private final List<Row> rows = new ArrayList<>();
  private final List<Row> blind = new ArrayList<>();
  private @Nullable Row exclusive;
  private @Nullable Row oracle;

  /** Makes a table that tells the watcher after each row how many there are. */
  SharingTable(IntConsumer watcher) {
    this.watcher = watcher;
  }

  /** Adds a row. */
  void row(Row row) {
    rows.add(row);
    watcher.accept(rows.size());
  }

  /** Adds the row of sharing nothing. */
  void exclusive(Row row) {
    exclusive = row;
    row(row);
  }

  /** Adds a row of those that predict nothing. */
  void oblivious(Row row) {
    blind.add(row);
    row(row);
  }

  /** Adds the row of knowing everything. */
  void oracle(Row row) {
    oracle = row;
    row(row);
  }

  List<String> lines() {
    Table table = new Table(HEADER);
    rows.forEach(row -> table.row(cells(row)));
    return table.lines();
  }

  private List<String> cells(Row row) {
    Row alone = Objects.requireNonNull(exclusive);
    Row known = Objects.requireNonNull(oracle);
    double most = blind.stream().mapToDouble(Row::useful).max().orElse(alone.useful());
    double least = blind.stream().mapToDouble(Row::hours).min().orElse(alone.hours());
    return List.of(
        row.name(),
        percent(row.useful()),
        percent(row.useful() / alone.useful() - 1),
        percent(row.useful() / most - 1),
        hours(row.hours()),
        percent(1 - row.hours() / alone.hours()),
        percent(1 - row.hours() / least),
        hours(row.longHours()),
        percent((alone.hours() - row.hours()) / (alone.hours() - known.hours())),
        String.format(Locale.ROOT, "%.2f %%", 100 * row.partBelow()),
        Integer.toString(row.partings()));
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }

  private static String hours(double hours) {
    return String.format(Locale.ROOT, "%.2f", hours);
  }
}
