package io.github.liquidscheduler.formats.input;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.text.Count;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a delimited text whose columns have names. Each line is parsed alone: a quote left
 * open then spoils its line and not the rest of the file.
 */
public final class Rows {

  private static final Pattern BLANKS = Pattern.compile("\\s+");

  /** What divides the columns of files that are called CSV and are none. */
  private static final List<String> OTHER_DELIMITERS = List.of(";", "\t", "|", ",");

  private final BoundedLines lines;
  private final Splitting splitting;
  private final List<String> names;
  private final Map<String, Integer> columns;
  private @Nullable RowValues ahead;

  /** Divides a line into values. */
  @FunctionalInterface
  private interface Splitting {
    RowValues values(String line);
  }

  private Rows(BoundedLines lines, CSVFormat format, List<String> names) {
    this(lines, names, line -> parse(lines, format, line, names.size()));
  }

  private Rows(BoundedLines lines, List<String> names, Splitting splitting) {
    this.lines = lines;
    this.splitting = splitting;
    this.names = names;
    this.columns = columnsOf(lines, names);
  }

  /**
   * Returns the rows below a header line.
   *
   * @throws InputFormatException if it does not name all {@code required} columns
   */
  public static Rows withHeader(BoundedLines lines, CSVFormat format, List<String> required) {
    String header = lines.next();
    if (header == null) {
      throw new InputFormatException(
          lines.source() + ": the file must start with a header line, but is empty");
    }
    Rows rows = new Rows(lines, format, parse(lines, format, header, required.size()).texts());
    for (String name : required) {
      if (!rows.columns.containsKey(name)) {
        throw lines.error(
            "the header must have the column '%s', but was %s%s"
                .formatted(name, Quoted.of(header), hint(header, format, required)));
      }
    }
    return rows;
  }

  /**
   * Returns the rows below the header line of CSV.
   *
   * @throws InputFormatException if it does not name all {@code required} columns
   */
  public static Rows ofLines(String source, List<String> lines, List<String> required) {
    byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    return withHeader(
        new BoundedLines(source, new ByteArrayInputStream(text)), CSVFormat.DEFAULT, required);
  }

  /** Returns a question if a header names columns, but divides them by something else. */
  private static String hint(String header, CSVFormat format, List<String> required) {
    String own = format.getDelimiterString();
    return OTHER_DELIMITERS.stream()
        .filter(other -> !header.contains(own))
        .filter(
            other ->
                RowValues.split(header, other, 2).texts().stream().anyMatch(required::contains))
        .findFirst()
        .map(
            other ->
                ". Separated by %s? It must be by %s".formatted(Quoted.of(other), Quoted.of(own)))
        .orElse("");
  }

  /**
   * Returns the rows of a text without header in one of several forms, chosen by the number of
   * columns of the first line; the first form if none matches.
   */
  public static Rows inOneForm(BoundedLines lines, CSVFormat format, List<List<String>> forms) {
    String line = lines.next();
    if (line == null) {
      return new Rows(lines, format, forms.get(0));
    }
    RowValues values = parse(lines, format, line, forms.get(0).size());
    List<String> names =
        forms.stream()
            .filter(form -> form.size() == values.size())
            .findFirst()
            .orElse(forms.get(0));
    Rows rows = new Rows(lines, format, names);
    rows.ahead = values;
    return rows;
  }

  /** Returns the rows of a text of these columns, in this order, with or without a header line. */
  public static Rows withOptionalHeader(
      BoundedLines lines, CSVFormat format, List<String> columns) {
    Rows rows = inOneForm(lines, format, List.of(columns));
    if (rows.ahead != null && columns.equals(rows.ahead.texts())) {
      rows.ahead = null;
    }
    return rows;
  }

  /** Returns the rows of a text of these columns, in this order, divided by blanks. */
  public static Rows ofWords(BoundedLines lines, List<String> columns) {
    return new Rows(lines, columns, line -> RowValues.of(List.of(BLANKS.split(line.strip(), -1))));
  }

  /** Returns true if there is a column called {@code name}. */
  public boolean hasColumn(String name) {
    return columns.containsKey(name);
  }

  /**
   * Checks that there are no other columns than these.
   *
   * @throws InputFormatException if there is one
   */
  public void requireOnly(List<String> known) {
    for (String name : names) {
      if (!known.contains(name)) {
        throw lines.error(
            "the header must name no columns but %s, but named %s"
                .formatted(String.join(", ", known), Quoted.of(name)));
      }
    }
  }

  /** Returns an exception about a rule broken by the header. */
  public InputFormatException headerError(String rule) {
    return new InputFormatException(
        "%s: the header must %s, but was %s"
            .formatted(lines.source(), rule, Quoted.of(String.join(",", names))));
  }

  /** Returns the rows of a CSV file whose header names these columns. */
  public static List<Row> read(Path file, String... required) {
    return SourceFile.read(
        file,
        (source, bytes) ->
            withHeader(new BoundedLines(source, bytes), CSVFormat.DEFAULT, List.of(required))
                .rest());
  }

  /** Returns the next row, or null after the last. */
  public @Nullable Row next() {
    if (ahead != null) {
      RowValues values = ahead;
      ahead = null;
      return row(values);
    }
    String line = lines.next();
    return line == null ? null : row(splitting.values(line));
  }

  /** Returns the rows that are left. */
  public List<Row> rest() {
    List<Row> rest = new ArrayList<>();
    for (Row row = next(); row != null; row = next()) {
      rest.add(row);
    }
    return rest;
  }

  private Row row(RowValues values) {
    if (values.size() != names.size()) {
      throw lines.error(
          "a line must have %s, but had %d"
              .formatted(Count.of(names.size(), "column"), values.size()));
    }
    return new Row(lines.source(), lines.number(), columns, values);
  }

  /** Lines without quotes, which nearly all are, need no parser: one costs 16 kB a line. */
  private static RowValues parse(BoundedLines lines, CSVFormat format, String line, int expected) {
    Character quote = format.getQuoteCharacter();
    boolean isPlain = line.indexOf('\r') < 0 && (quote == null || line.indexOf(quote) < 0);
    return isPlain
        ? RowValues.split(line, format.getDelimiterString(), expected)
        : parseQuoted(lines, format, line);
  }

  private static RowValues parseQuoted(BoundedLines lines, CSVFormat format, String line) {
    try (CSVParser parser = CSVParser.parse(line, format)) {
      List<CSVRecord> records = parser.getRecords();
      if (records.size() != 1) {
        throw lines.error("a line must hold one record, but held " + records.size());
      }
      return RowValues.of(records.get(0).toList());
    } catch (IOException | UncheckedIOException e) {
      throw lines.error("a line must be well-formed, but: " + Quoted.of(line));
    }
  }

  private static Map<String, Integer> columnsOf(BoundedLines lines, List<String> names) {
    Map<String, Integer> columns = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      if (columns.putIfAbsent(names.get(i), i) != null) {
        throw lines.error(
            "the header must name each column once, but had " + Quoted.of(names.get(i)) + " twice");
      }
    }
    return columns;
  }
}
