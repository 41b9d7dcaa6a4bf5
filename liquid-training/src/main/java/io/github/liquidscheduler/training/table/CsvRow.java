package io.github.liquidscheduler.training.table;

import io.github.liquidscheduler.estimator.workload.FiniteNumber;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.commons.csv.CSVRecord;

/**
 * A row of a {@link CsvTable}: its cells by the names of their columns. The cell of a column that
 * the table does not have is empty. What is malformed is refused with the file, the line and the
 * column.
 */
public final class CsvRow {
  private final CSVRecord cells;
  private final String owner;
  private final long line;

  CsvRow(CSVRecord cells, String owner, long line) {
    this.cells = cells;
    this.owner = owner;
    this.line = line;
  }

  /** Returns the cells in the order of the columns. */
  public List<String> cells() {
    return cells.toList();
  }

  /** Returns the text in a cell, which may be empty. */
  public String text(String column) {
    return cells.isMapped(column) ? cells.get(column) : "";
  }

  /**
   * Returns the text in a cell.
   *
   * @throws IllegalArgumentException if it is empty
   */
  public String stated(String column) {
    String text = text(column);
    if (text.isEmpty()) {
      throw refusal(column, "stated");
    }
    return text;
  }

  /**
   * Returns the number in a cell, or empty if the cell is.
   *
   * @throws IllegalArgumentException if it is no finite number
   */
  public OptionalDouble number(String column) {
    String text = text(column);
    OptionalDouble number = FiniteNumber.of(text);
    if (number.isEmpty() && !text.isEmpty()) {
      throw refusal(column, "a finite number or empty");
    }
    return number;
  }

  /**
   * Returns the number in a cell.
   *
   * @throws IllegalArgumentException if it is empty or no finite number
   */
  public double statedNumber(String column) {
    stated(column);
    return number(column).orElseThrow();
  }

  /**
   * Returns the whole number in a cell, or {@code otherwise} if the cell is empty.
   *
   * @throws IllegalArgumentException if it is no whole number, or is less than {@code least}
   */
  public int whole(String column, int otherwise, int least) {
    String text = text(column);
    if (text.isEmpty()) {
      return otherwise;
    }
    double number = FiniteNumber.of(text).orElse(Double.NaN);
    if (!(number == Math.rint(number) && number >= least && number <= Integer.MAX_VALUE)) {
      throw refusal(column, "a whole number of at least " + least);
    }
    return (int) number;
  }

  /**
   * Returns the whole number in a cell.
   *
   * @throws IllegalArgumentException if it is empty, no whole number, or less than 0
   */
  public int statedWhole(String column) {
    stated(column);
    return whole(column, 0, 0);
  }

  /** Returns the refusal of a cell that does not keep a rule. */
  public IllegalArgumentException refusal(String column, String rule) {
    return new IllegalArgumentException(
        "%s must be %s, but was '%s', in %s line %d column %s"
            .formatted(column, rule, text(column), owner, line, column));
  }

  /** Returns the refusal of what the row says as a whole. */
  public IllegalArgumentException refusal(IllegalArgumentException why) {
    return new IllegalArgumentException(
        "%s, in %s line %d".formatted(why.getMessage(), owner, line), why);
  }
}
