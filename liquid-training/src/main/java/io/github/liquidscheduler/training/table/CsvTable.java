package io.github.liquidscheduler.training.table;

import io.github.liquidscheduler.formats.output.CsvWriter;
import io.github.liquidscheduler.text.Count;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.DuplicateHeaderMode;

/**
 * Comma-separated values in UTF-8, with or without a byte order mark, below a header that names
 * each column once. Cells are trimmed and empty lines skipped. What is malformed is refused with
 * the file and the line.
 */
public record CsvTable(List<String> header, List<CsvRow> rows) {
  /** The largest number of rows that is read. */
  public static final int MOST_ROWS = 1_000_000;

  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT
          .builder()
          .setHeader()
          .setSkipHeaderRecord(true)
          .setDuplicateHeaderMode(DuplicateHeaderMode.DISALLOW)
          .setTrim(true)
          .get();
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  /** Copies the lists. */
  public CsvTable {
    header = List.copyOf(header);
    rows = List.copyOf(rows);
  }

  /**
   * Reads the table in {@code file}.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if the header names a column twice or not at all, a row is
   *     malformed, there are more than {@value #MOST_ROWS}, or the file is not in UTF-8
   */
  public static CsvTable read(Path file) throws IOException {
    return read(file, FORMAT);
  }

  /**
   * Reads a table without a header.
   *
   * @param columns the names of its columns
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException as {@link #read(Path)} does
   */
  public static CsvTable readWithoutHeader(Path file, String... columns) throws IOException {
    return read(file, FORMAT.builder().setHeader(columns).setSkipHeaderRecord(false).get());
  }

  private static CsvTable read(Path file, CSVFormat format) throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "a table must be a file, not a folder");
    }
    try (Reader reader = Files.newBufferedReader(file)) {
      return read(reader, file.toString(), format);
    }
  }

  /**
   * Reads the table in {@code text}.
   *
   * @param owner where it comes from, for messages
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException as {@link #read(Path)} does
   */
  public static CsvTable read(Reader text, String owner) throws IOException {
    return read(text, owner, FORMAT);
  }

  private static CsvTable read(Reader text, String owner, CSVFormat format) throws IOException {
    try (CSVParser parser = parser(text, owner, format)) {
      List<CsvRow> rows = new ArrayList<>();
      Iterator<CSVRecord> records = parser.iterator();
      while (hasNext(records, parser, owner)) {
        rows.add(row(records.next(), parser, owner));
        if (rows.size() > MOST_ROWS) {
          throw new IllegalArgumentException(
              "a table must have at most %d rows, but has more, in %s".formatted(MOST_ROWS, owner));
        }
      }
      return new CsvTable(parser.getHeaderNames(), rows);
    }
  }

  private static CSVParser parser(Reader text, String owner, CSVFormat format) throws IOException {
    try {
      return format.parse(withoutMark(text));
    } catch (CharacterCodingException | CSVException e) {
      throw malformed(e, owner, 1);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the header must name each column, and no two alike, but: %s, in %s line 1"
              .formatted(withoutAdvice(Objects.toString(e.getMessage())), owner),
          e);
    }
  }

  /** Asks whether there is another row, which is when the library reads it. */
  private static boolean hasNext(Iterator<CSVRecord> records, CSVParser parser, String owner) {
    try {
      return records.hasNext();
    } catch (UncheckedIOException e) {
      throw malformed(Objects.requireNonNull(e.getCause()), owner, parser.getCurrentLineNumber());
    }
  }

  private static CsvRow row(CSVRecord cells, CSVParser parser, String owner) {
    long line = parser.getCurrentLineNumber();
    if (!cells.isConsistent()) {
      throw new IllegalArgumentException(
          "a row must have %s, but has %d, in %s line %d"
              .formatted(
                  Count.of(parser.getHeaderNames().size(), "cell"), cells.size(), owner, line));
    }
    return new CsvRow(cells, owner, line);
  }

  private static Reader withoutMark(Reader text) throws IOException {
    BufferedReader reader = new BufferedReader(text);
    reader.mark(1);
    if (reader.read() != BYTE_ORDER_MARK) {
      reader.reset();
    }
    return reader;
  }

  private static IllegalArgumentException malformed(IOException e, String owner, long line) {
    return new IllegalArgumentException(
        e instanceof CharacterCodingException
            ? "a table must be in UTF-8, but is not, in " + owner
            : "a row must be well-formed, but: %s, in %s line %d"
                .formatted(e.getMessage(), owner, line),
        e);
  }

  /** The library tells programmers what else they could call. */
  private static String withoutAdvice(String message) {
    return message.replaceFirst("\\. If this is valid.*", "");
  }

  /** Writes a table, replacing the file. */
  public static void write(Path file, List<String> header, List<? extends List<?>> rows)
      throws IOException {
    try (Writer text = Files.newBufferedWriter(file)) {
      CsvWriter writer = new CsvWriter(text);
      writer.row(header);
      for (List<?> row : rows) {
        writer.row(row);
      }
    }
  }

  /** Writes this table with cells of further columns behind each row, replacing the file. */
  public void writeWith(Path file, List<String> columns, List<? extends List<?>> cells)
      throws IOException {
    List<List<?>> joined = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      joined.add(joined(rows.get(i).cells(), cells.get(i)));
    }
    List<String> all = Stream.concat(header.stream(), columns.stream()).toList();
    write(file, all, joined);
  }

  private static List<?> joined(List<?> some, List<?> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }
}
