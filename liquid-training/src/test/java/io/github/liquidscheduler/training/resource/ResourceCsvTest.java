package io.github.liquidscheduler.training.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.shareddata.SharedData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceCsvTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void whatIsWrittenIsRead() throws IOException {
    List<ResourceSample> samples = ResourceCsv.published().samples();
    Path file = folder.resolve("jobs.csv");

    ResourceCsv.write(file, samples);

    List<ResourceSample> read = ResourceCsv.read(file).samples();
    assertThat(read).hasSameSizeAs(samples);
    assertThat(read.getFirst().task().signature()).isEqualTo(samples.getFirst().task().signature());
    assertThat(read.getFirst().value(ResourceTarget.GPU_MEMORY))
        .isEqualTo(samples.getFirst().value(ResourceTarget.GPU_MEMORY));
  }

  @Test
  void emptyCellsAreUnknown() throws IOException {
    ResourceSample sample = read("family,batch,gpu_memory_bytes", "bert,,").samples().getFirst();

    assertThat(sample.task().batch()).isEmpty();
    assertThat(sample.value(ResourceTarget.GPU_MEMORY)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "family,batch|bert,NaN|batch",
        "family,batch|bert,2.5|batch",
        "family,batch|bert,-1|batch",
        "family,gpu_utilization|bert,1.5|gpu_utilization",
        "family,gpu_memory_bytes|bert,-5|gpu_memory_bytes",
        "family,gpu_memory_bytes|bert,NaN|gpu_memory_bytes",
        "family,total_seconds|bert,Infinity|total_seconds",
        "family,role|bert,chief|role",
        "family,hyperparameters|bert,layers|hyperparameters",
        "family,batch|,3|family",
        "family,parameters|bert,0|parameters"
      })
  void aBadCellIsRefusedWithItsLineAndColumn(String header, String row, String column) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(header, row))
        .withMessageContaining("table.csv line 2 column " + column);
  }

  @Test
  void aTableWithoutFamiliesIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("batch", "3"))
        .withMessageContaining("'family'");
  }

  @Test
  void aRowThatIsTooShortIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("family,batch,gpu", "bert,3"))
        .withMessageContaining("3 cells");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "family,,batch|bert,3,4|line 1",
        "family,batch,batch|bert,3,4|line 1",
        "family,batch|bert,'3|line 2",
        "family,batch|bert,'3'x|line 2",
      })
  void aTableThatIsMalformedIsRefusedWithItsLine(String header, String row, String line) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(header, row.replace('\'', '"')))
        .withMessageMatching("(the header must|a row must) .*, in .*table.csv " + line);
  }

  @Test
  void aTableInAnotherEncodingIsRefused() throws IOException {
    Path file = folder.resolve("latin.csv");
    Files.write(file, "family\nGo\u00f1i\n".getBytes(StandardCharsets.ISO_8859_1));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResourceCsv.read(file))
        .withMessageStartingWith("a table must be in UTF-8, but is not, in ");
  }

  @Test
  void whatSpreadsheetsWriteIsRead() throws IOException {
    ResourceCsv table = read("\uFEFFfamily,batch\r", "\"bert\",\" 32\"\r");

    assertThat(table.samples().getFirst().task().batch()).hasValue(32);
  }

  @Test
  void aTableWithoutRowsGetsColumnsAllTheSame() throws IOException {
    Path out = folder.resolve("out.csv");
    try (LearnedResourceEstimator model = LearnedResourceEstimator.shipped()) {
      PredictionCsv.write(out, read("family"), model, false);
    }

    assertThat(Files.readAllLines(out)).hasSize(1);
  }

  @Test
  void predictionsAreAppendedToWhatWasThere() throws IOException {
    ResourceCsv table = read("family,batch,note", "resnet50,32,mine");
    Path out = folder.resolve("out.csv");

    try (LearnedResourceEstimator model = LearnedResourceEstimator.shipped()) {
      PredictionCsv.write(out, table, model, false);
    }

    List<String> lines = Files.readAllLines(out);
    assertThat(lines.getFirst())
        .startsWith("family,batch,note,gpu_memory_bytes_predicted,gpu_memory_bytes_low,")
        .endsWith("total_seconds_high,gpu_memory_bytes_requested");
    assertThat(lines.get(1)).startsWith("resnet50,32,mine,");
  }

  @Tag("public-data")
  @Test
  void publicDataIsConverted() throws IOException {
    Path data = SharedData.file("");

    assertThat(PublicResourceData.read(data))
        .extracting(sample -> sample.task().source())
        .contains("salus", "miso", "zeus", "muri", "gavel", "elasticflow", "sailor");
  }

  private ResourceCsv read(String... lines) throws IOException {
    return ResourceCsv.read(Files.write(folder.resolve("table.csv"), List.of(lines)));
  }
}
