package io.github.liquidscheduler.estimator.task.prior;

import io.github.liquidscheduler.estimator.workload.ComparableName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A comma-separated table that ships beside this class; its first line names the columns. */
final class ShippedTable {
  private ShippedTable() {}

  /** Returns the rows after the first, as many cells each as there are columns. */
  static List<String[]> rows(String name) {
    try (InputStream stream = ShippedTable.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("the shipped table '" + name + "' is missing");
      }
      String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().skip(1).map(line -> line.split(",", -1)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("the shipped table '" + name + "' is unreadable", e);
    }
  }

  /** Returns the names in a cell that are divided by semicolons, as they are compared. */
  static List<String> keys(String cell) {
    return cell.isEmpty()
        ? List.of()
        : List.of(cell.split(";")).stream().map(ComparableName::of).toList();
  }
}
