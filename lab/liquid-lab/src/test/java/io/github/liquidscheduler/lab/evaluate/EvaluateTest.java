package io.github.liquidscheduler.lab.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.lab.LabRun;
import io.github.liquidscheduler.training.measurement.MeasurementCsv;
import io.github.liquidscheduler.training.resource.ResourceCsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvaluateTest {

  private static final String HEAD = String.join(",", MeasurementCsv.COLUMNS);

  private static final String PAIR = "V100,lm,20,,,,,,a3c,4,,,,,,0.7";

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void writeTables() throws IOException {
    ResourceCsv.write(folder.resolve("jobs.csv"), new GeneratedJobs(1).next(60));
    Files.writeString(folder.resolve("pairs.csv"), HEAD + "\n" + PAIR + "\n\n" + PAIR + "\n");
    Files.writeString(folder.resolve("empty.csv"), HEAD + "\n");
    Files.writeString(folder.resolve("bad.csv"), HEAD + "\n" + PAIR.replace("20", "x") + "\n");
    Files.writeString(
        folder.resolve("early.csv"), "V100,,\n,alone,VAE\nUnheard of,1,\"1,1\"\nVAE,1,\n");
  }

  private Command evaluate(String line) {
    String[] words = ("evaluate " + line).split(" +");
    for (int i = 0; i < words.length; i++) {
      if (words[i].matches(".*\\.(csv|onnx)")) {
        words[i] = folder.resolve(words[i]).toString();
      }
    }
    return LabRun.of(words);
  }

  @Test
  void aResourceModelIsJudgedOnATable() {
    assertThat(evaluate("resources --data jobs.csv").output())
        .contains("r2", "coverage", "underestimated", "gpu_memory_bytes");
  }

  @Test
  void halfOfTheFamiliesOfASourceCanBeHeldOut() {
    assertThat(evaluate("resources --data jobs.csv --held-out-half-of generated").output())
        .contains("gpu_memory_bytes");
    assertThat(evaluate("resources --data jobs.csv --held-out-half-of nobody").errors())
        .contains("'nobody' measured 0");
  }

  @Test
  void aConstantTargetHasNoScore() throws IOException {
    Files.writeString(folder.resolve("constant.csv"), "family,gpu_utilization\nbert,1\nbert,1\n");

    assertThat(evaluate("resources --data constant.csv").output())
        .containsPattern("gpu_utilization .* - ")
        .doesNotContain("NaN");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "resources --data nothing.csv | none has, in ",
        "resources --data none.csv    | no such file",
        "interference --data none.csv | no such file or folder: ",
        "interference --data pairs.csv --local-pairs 4 | goes with --folds family, but was 4 with",
        "interference --data bad.csv   | batch must be a whole number of at least 1, but was 'x'",
        "interference --data empty.csv | measured co-locations, but there are none in ",
        "similarity --data empty.csv   | measured co-locations, but there are none in ",
        "interference --data pairs.csv --extra-data early.csv | no model 'Unheard of' is known"
      })
  void badInputIsRefusedInOneLine(String line, String message) throws IOException {
    Files.writeString(folder.resolve("nothing.csv"), "family,batch\nbert,3\n");

    Command command = evaluate(line);

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).hasLineCount(1).contains(message).doesNotContain("Exception");
  }
}
