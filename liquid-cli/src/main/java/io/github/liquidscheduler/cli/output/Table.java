package io.github.liquidscheduler.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows of text in columns, the first to the left, the others to the right or the last too. */
public final class Table {

  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();
  private boolean endsInText;

  /** Makes a table with this header. */
  public Table(List<String> header) {
    rows.add(header);
  }

  /** Returns a table with these columns, which are separated by bars. */
  public static Table of(String columns) {
    return new Table(List.of(columns.split(" \\| ", -1)));
  }

  /** Moves the last column to the left too. */
  public Table endingInText() {
    endsInText = true;
    return this;
  }

  /** Adds a row. */
  public void row(List<String> cells) {
    rows.add(cells);
  }

  /** Prints the lines. */
  public void print(PrintWriter out) {
    lines().forEach(out::println);
  }

  /** Returns the lines, a rule below the header. */
  public List<String> lines() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    List<String> lines = new ArrayList<>();
    rows.forEach(row -> lines.add(line(row, widths)));
    lines.add(1, "-".repeat(Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1)));
    return lines;
  }

  private String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      String padding = " ".repeat(widths[column] - row.get(column).length());
      boolean isText = column == 0 || (endsInText && column == widths.length - 1);
      line.append(column == 0 ? "" : GAP);
      line.append(isText ? row.get(column) + padding : padding + row.get(column));
    }
    return line.toString().stripTrailing();
  }
}
