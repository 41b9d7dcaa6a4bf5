package io.github.liquidscheduler.training.table;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.DuplicateHeaderMode;

/**
 * The rows of comma-separated values in UTF-8, with or without a byte order mark, below a header
 * that names each column once. Cells are trimmed and empty lines skipped. What is malformed is
 * refused with the file and the line.
 *
 * <p>Not thread-safe.
 */
public final class CsvTable implements AutoCloseable {
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT
          .builder()
          .setHeader()
          .setSkipHeaderRecord(true)
          .setDuplicateHeaderMode(DuplicateHeaderMode.DISALLOW)
          .setTrim(true)
          .get();

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final String owner;
  private final CSVParser parser;
  private final Iterator<CSVRecord> rows;

  private CsvTable(CSVParser parser, String owner) {
    this.parser = parser;
    this.owner = owner;
    rows = parser.iterator();
  }

  /**
   * Opens the table in {@code file} and reads its header.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if the header names a column twice or not at all, or the file
   *     is not in UTF-8
   */
  public static CsvTable open(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "a table must be a file, not a folder");
    }
    Reader reader = Files.newBufferedReader(file);
    try {
      return of(reader, file.toString());
    } catch (IOException | IllegalArgumentException e) {
      reader.close();
      throw e;
    }
  }

  /**
   * Reads the header of the table in {@code text}, which is closed with it.
   *
   * @param owner where it comes from, for messages
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if the header names a column twice or not at all
   */
  public static CsvTable of(Reader text, String owner) throws IOException {
    try {
      return new CsvTable(FORMAT.parse(withoutMark(text)), owner);
    } catch (CharacterCodingException | CSVException e) {
      throw malformed(e, owner, 1);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the header must name each column, and no two alike, but: %s, in %s line 1"
              .formatted(withoutAdvice(Objects.toString(e.getMessage())), owner),
          e);
    }
  }

  /** Returns the names of the columns. */
  public List<String> header() {
    return parser.getHeaderNames();
  }

  /** Returns the line that ends the row which was read last, from 1. */
  public long line() {
    return parser.getCurrentLineNumber();
  }

  /**
   * Returns the next row, which has as many cells as the header; nothing after the last.
   *
   * @throws IllegalArgumentException if it has not, or is malformed
   */
  public Optional<CSVRecord> next() {
    try {
      return rows.hasNext() ? Optional.of(consistent(rows.next())) : Optional.empty();
    } catch (UncheckedIOException e) {
      throw malformed(Objects.requireNonNull(e.getCause()), owner, line());
    }
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }

  private CSVRecord consistent(CSVRecord row) {
    if (!row.isConsistent()) {
      throw new IllegalArgumentException(
          "a row must have %d cells, but has %d, in %s line %d"
              .formatted(header().size(), row.size(), owner, line()));
    }
    return row;
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
}
