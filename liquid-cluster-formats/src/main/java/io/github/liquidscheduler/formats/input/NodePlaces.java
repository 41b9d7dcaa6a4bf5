package io.github.liquidscheduler.formats.input;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The line on which each node or domain was first named, to reject repetitions. */
public final class NodePlaces {

  private final String what;
  private final Map<String, Integer> lines = new HashMap<>();

  /** Begins with no names, of what messages call so. */
  public NodePlaces(String what) {
    this.what = what;
  }

  /** Notes a name, or refuses it if it was named before. */
  public void add(Token name) {
    @Nullable Integer before = lines.putIfAbsent(name.text(), name.line());
    if (before != null) {
      throw name.error("%s must be named once, and was on line %d".formatted(what, before));
    }
  }

  /** Notes and returns the name in a column, or refuses it if it was named before. */
  public String add(Row row, String column) {
    String name = row.text(column);
    @Nullable Integer before = lines.putIfAbsent(name, row.line());
    if (before != null) {
      throw row.error(column, "must name %s once, and did on line %d".formatted(what, before));
    }
    return name;
  }
}
