package io.github.liquidscheduler.estimator.resource;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** A comma-separated table that ships beside this class; its first line names the columns. */
final class ShippedTable {
  private static final Pattern OTHERS = Pattern.compile("[^a-z0-9]");

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

  /** Returns a name as it is compared: letters and digits, in lower case. */
  static String key(String name) {
    return OTHERS.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("");
  }

  /** Returns the names in a cell that are divided by semicolons, as they are compared. */
  static List<String> keys(String cell) {
    return cell.isEmpty()
        ? List.of()
        : List.of(cell.split(";")).stream().map(ShippedTable::key).toList();
  }
}
