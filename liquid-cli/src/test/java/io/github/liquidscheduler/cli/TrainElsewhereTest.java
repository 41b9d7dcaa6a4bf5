package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.liquidscheduler.training.measurement.MeasurementCsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code tools/train_interference.py}, where PyTorch is installed. */
class TrainElsewhereTest {
  @TempDir Path folder;

  /** Eight classes on two GPU models, which slow each other down by what they load. */
  @BeforeEach
  void measure() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(String.join(",", MeasurementCsv.COLUMNS));
    for (String gpu : List.of("V100", "K80")) {
      for (int victim = 1; victim <= 8; victim++) {
        for (int other = 1; other <= 8; other++) {
          lines.add(
              String.format(
                  Locale.ROOT,
                  "%s,family%d,8,,%d,,,,family%d,8,,%d,,,,%.4f",
                  gpu,
                  victim,
                  victim,
                  other,
                  other,
                  1 / (1 + 0.1 * other + 0.02 * victim)));
        }
      }
    }
    Files.write(file("pairs.csv"), lines);
  }

  @Test
  void theExamplesHaveTheColumnsThatTheSchedulerAsksWith() throws IOException {
    Command features = export();

    assertThat(features.status()).isZero();
    List<String> rows = Files.readAllLines(file("features.csv"));
    assertThat(rows.getFirst())
        .startsWith("gpu,is_known,victim_log_rate,")
        .endsWith(",co_memory,retained_speed");
    assertThat(rows.subList(1, rows.size()))
        .allMatch(row -> row.matches("(V100|K80),[01](,-?[0-9.E-]+){32}"));
    assertThat(Files.readString(file("properties.json")))
        .contains("liquid.schema_version", "liquid.features", "liquid.note.class_history");
  }

  @Tag("pytorch")
  @Test
  void whatPyTorchTrainsTheSchedulerLoads() throws IOException {
    PythonProgram program = new PythonProgram(file("output"), Map.of());
    String python = program.with("torch", "");
    assumeTrue(!python.isEmpty(), "needs PyTorch");
    export();

    int status =
        program.status(
            python,
            Command.project().resolve("tools/train_interference.py").toString(),
            file("features.csv").toString(),
            file("properties.json").toString(),
            file("model.onnx").toString());
    assertThat(status).as(program.printed()).isZero();

    Command predict =
        Command.run(
            "predict",
            "interference",
            "--model",
            file("model.onnx").toString(),
            "--data",
            file("pairs.csv").toString(),
            "--out",
            file("predicted.csv").toString());
    assertThat(predict.errors()).isEmpty();
    assertThat(error(Files.readAllLines(file("predicted.csv")))).isLessThan(0.06);
  }

  private Command export() {
    return Command.run(
        "features",
        "--data",
        file("pairs.csv").toString(),
        "--out",
        file("features.csv").toString(),
        "--properties",
        file("properties.json").toString());
  }

  /** The mean absolute error; a constant would err by about .15. */
  private static double error(List<String> lines) {
    return lines.stream()
        .skip(1)
        .map(line -> line.split(",", -1))
        .mapToDouble(
            cells -> Math.abs(Double.parseDouble(cells[15]) - Double.parseDouble(cells[16])))
        .average()
        .orElseThrow();
  }

  private Path file(String name) {
    return folder.resolve(name);
  }
}
