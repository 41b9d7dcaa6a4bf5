package io.github.liquidscheduler.training.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasurementFilesTest {
  private static final String HEAD = String.join(",", MeasurementCsv.COLUMNS) + "\n";

  @TempDir Path folder;

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    List<Measurement> measurements = GavelMeasurements.read(gavel());
    Path csv = folder.resolve("out.csv");
    MeasurementCsv.write(csv, measurements);
    assertThat(MeasurementCsv.read(csv)).isEqualTo(measurements);
  }

  @Test
  void gavelsPairsOfOneGpuJobsAreReadWhereTheyRan() throws IOException {
    List<Measurement> measurements = GavelMeasurements.read(gavel());

    assertThat(measurements).hasSize(2);
    Measurement first = measurements.getFirst();
    assertThat(first.gpu()).isEqualTo(GpuModel.of("V100"));
    assertThat(first.victim().workload().family()).isEqualTo("ResNet-18");
    assertThat(first.victim().workload().batchSize()).hasValue(16);
    assertThat(first.coRunner().workload().family()).isEqualTo("A3C");
    assertThat(first.retainedSpeed()).isEqualTo(0.75);
    assertThat(first.coRunner().isolatedRate()).isEqualTo(8);
  }

  @Test
  void aKeyThatIsNoTupleIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("bad.json"), "{\"v100\": {\"ResNet\": {}}}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GavelMeasurements.read(file))
        .withMessageContaining("bad.json:1: ")
        .withMessageContaining("must have jobs written as ('model', GPUs)");
  }

  @Test
  void unknownFieldsMayBeEmpty() throws IOException {
    Measurement read = read("V100,lm,,,,,,,lm,,,,,,,0.5").getFirst();
    assertThat(read.victim().utilization()).isNaN();
    assertThat(read.victim().workload().batchSize()).isEmpty();
    assertThat(read("V100,lm,,,,,,,lm,,,,,,,").getFirst().isMeasured()).isFalse();
  }

  @Test
  void aBadFieldIsRefusedWithFileLineAndColumn() {
    assertRefused(
        "V100,lm,many,,,,,,lm,,,,,,,0.5",
        "batch must be a whole number of at least 1, but was 'many'");
    assertRefused(
        "V100,lm,,,,x,,,lm,,,,,,,0.5", "utilization must be a finite number or empty, but was 'x'");
    assertRefused("V100,lm,,,,NaN,,,lm,,,,,,,0.5", "utilization must be a finite number");
    assertRefused("V100,lm,,,,7,,,lm,,,,,,,0.5", "utilisations be from 0 to 1");
    assertRefused(",lm,,,,,,,lm,,,,,,,0.5", "gpu must be the name of a GPU model");
    assertRefused("V100,lm,,,,,,,lm,,,,,,,-1", "retained_speed must be a number in (0, 1.05]");
    assertRefused("V100,lm,,,,,,,lm,,,,,,,1.06", "retained_speed must be a number in (0, 1.05]");
  }

  @Test
  void aMissingColumnIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("short.csv"), "gpu,family\nV100,lm\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MeasurementCsv.read(file))
        .withMessageContaining("retained_speed")
        .withMessageContaining("short.csv");
  }

  private void assertRefused(String line, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(line))
        .withMessageContaining(reason)
        .withMessageContaining("line 2");
  }

  private List<Measurement> read(String line) throws IOException {
    return MeasurementCsv.read(Files.writeString(folder.resolve("m.csv"), HEAD + line + "\n"));
  }

  private Path gavel() throws IOException {
    return Files.writeString(
        folder.resolve("gavel.json"),
        """
        {"v100": {
          "('ResNet-18 (batch size 16)', 1)": {
            "null": 4.0,
            "('A3C', 1)": [3.0, 2.0],
            "('ResNet-18 (batch size 16)', 1)": [0.0, 0.0]},
          "('ResNet-18 (batch size 16)', 2)": {"null": 7.0},
          "('A3C', 1)": {"null": 8.0, "('ResNet-18 (batch size 16)', 1)": [2.0, 3.0]}},
         "v100_unconsolidated": {}}
        """);
  }
}
