package io.github.liquidscheduler.formats.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.formats.InputFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

class RowsLaws {

  private static final CSVFormat TABS =
      CSVFormat.DEFAULT.builder().setDelimiter('\t').setQuote(null).get();

  @Property
  void aLineHasTheValuesThatAParserOfCsvFinds(@ForAll("lines") String line) throws IOException {
    assertParsed(line, CSVFormat.DEFAULT);
    assertParsed(line, TABS);
  }

  @Provide
  Arbitrary<String> lines() {
    return Arbitraries.strings()
        .withChars(',', '\t', '"', '\r', ' ', 'a', '7', '\\', '#', 'ü')
        .ofMinLength(1)
        .ofMaxLength(12)
        .filter(line -> !line.isBlank() && !line.endsWith("\r"));
  }

  private static void assertParsed(String line, CSVFormat format) throws IOException {
    Optional<List<String>> values = parsed(line, format);
    if (values.isEmpty()) {
      assertThatThrownBy(() -> read(line, format, 1)).isInstanceOf(InputFormatException.class);
      return;
    }
    Row row = read(line, format, values.get().size());
    List<String> read =
        IntStream.range(0, values.get().size())
            .mapToObj(column -> row.optionalText("c" + column).orElse(""))
            .toList();
    assertThat(read).isEqualTo(values.get());
  }

  private static Row read(String line, CSVFormat format, int columns) {
    List<String> names = IntStream.range(0, columns).mapToObj(column -> "c" + column).toList();
    ByteArrayInputStream bytes = new ByteArrayInputStream(line.getBytes(UTF_8));
    Row row = Rows.inOneForm(new BoundedLines("lines", bytes), format, List.of(names)).next();
    assertThat(row).isNotNull();
    return row;
  }

  /** Returns what the library finds; nothing if that is not one record. */
  private static Optional<List<String>> parsed(String line, CSVFormat format) {
    try (CSVParser parser = CSVParser.parse(line, format)) {
      List<CSVRecord> records = parser.getRecords();
      return Optional.of(records)
          .filter(found -> found.size() == 1)
          .map(found -> found.getFirst().stream().map(String::strip).toList());
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }
}
