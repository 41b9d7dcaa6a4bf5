package io.github.liquidscheduler.simulator.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.resource.Memory;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.junit.jupiter.api.Test;

class DatasetCellsTest {
  private final DatasetCells cells = new DatasetCells();

  private List<Dataset> read(int line, String names, String sizes) {
    String text = "dataset,size" + "\n".repeat(line - 1) + names + "," + sizes;
    BoundedLines lines =
        new BoundedLines(
            "jobs.csv", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    Row row = Rows.withHeader(lines, CSVFormat.DEFAULT, List.of()).rest().getFirst();
    return cells.of(row, "dataset", "size");
  }

  private static Dataset dataset(String name, long bytes) {
    return new Dataset(name, Memory.ofBytes(bytes));
  }

  @Test
  void aRowTellsDataSetsAndTheirSizes() {
    assertThat(read(2, "clicks | image:torch", "2kB|500"))
        .containsExactly(dataset("clicks", 2_000), dataset("image:torch", 500));
  }

  @Test
  void theSizeOfADataSetMayBeWrittenInSeveralWays() {
    read(2, "clicks", "2kB");

    assertThat(read(3, "clicks", "2000")).containsExactly(dataset("clicks", 2_000));
  }

  @Test
  void anotherSizeOfTheSameDataSetIsRefused() {
    read(2, "clicks", "2kB");

    assertThatThrownBy(() -> read(3, "clicks", "3kB"))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(
            "jobs.csv:3: column 'size' must be 2000 B for data set 'clicks', as on line 2, but was"
                + " '3kB'");
  }

  @Test
  void aNameWithoutASizeIsRefused() {
    assertThatThrownBy(() -> read(2, "clicks|films", "3kB"))
        .hasMessage(
            "jobs.csv:2: column 'size' must have as many sizes as column 'dataset' has names, but"
                + " was '3kB'");
  }

  @Test
  void aSizeThatIsNoneIsRefused() {
    assertThatThrownBy(() -> read(2, "clicks", "large"))
        .hasMessage(
            "jobs.csv:2: column 'size' must be whole bytes, or a size such as 20GiB or 1.5TB, but"
                + " was 'large'");
  }

  @Test
  void namesThatAreNotDistinctAreRefused() {
    assertThatThrownBy(() -> read(2, "clicks|clicks", "1|1"))
        .hasMessage(
            "jobs.csv:2: column 'dataset' must have distinct names, separated by '|', but was"
                + " 'clicks|clicks'");
  }
}
