package io.github.liquidscheduler.formats.output;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;

/**
 * Writes rows of comma-separated values. A text that a spreadsheet would take for a formula, such
 * as a job named {@code =1+1}, gets an apostrophe in front, which makes it a text there. Not
 * thread-safe.
 */
public final class CsvWriter {
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setRecordSeparator("\n").get();
  private static final Pattern FORMULA = Pattern.compile("[=+\\-@\\t\\r].*", Pattern.DOTALL);
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?|-Infinity");

  private final Appendable text;

  /** Returns a writer to {@code text}, which stays open. */
  public CsvWriter(Appendable text) {
    this.text = text;
  }

  /**
   * Writes a row.
   *
   * @throws IOException if it cannot be written
   */
  public void row(List<?> cells) throws IOException {
    FORMAT.printRecord(text, cells.stream().map(CsvWriter::cell).toArray());
  }

  private static Object cell(Object value) {
    return value instanceof CharSequence cell
            && FORMULA.matcher(cell).matches()
            && !NUMBER.matcher(cell).matches()
        ? "'" + cell
        : value;
  }
}
