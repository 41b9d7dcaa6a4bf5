package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.training.measurement.MeasurementCsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InterferenceCommandsTest {
  private static final String HEAD = String.join(",", MeasurementCsv.COLUMNS);
  private static final String PAIR = "V100,lm,20,,,,,,a3c,4,,,,,,0.7";

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void measure() throws IOException {
    Files.writeString(folder.resolve("pairs.csv"), HEAD + "\n" + PAIR + "\n\n" + PAIR + "\n");
    Files.writeString(folder.resolve("empty.csv"), HEAD + "\n");
    Files.writeString(folder.resolve("bad.csv"), HEAD + "\n" + PAIR.replace("20", "x") + "\n");
    Files.writeString(
        folder.resolve("early.csv"), "V100,,\n,alone,VAE\nUnheard of,1,\"1,1\"\nVAE,1,\n");
    Files.writeString(folder.resolve("text.json"), "so\n");
    Files.writeString(folder.resolve("nothing.json"), "{}");
  }

  @Test
  void predictionsAreAppendedToEachRow() throws IOException {
    Command command = run("predict interference --data pairs.csv --out predicted.csv");

    assertThat(command)
        .isEqualTo(new Command(0, "wrote " + folder.resolve("predicted.csv") + ": 2 rows\n", ""));
    List<String> lines = Files.readAllLines(folder.resolve("predicted.csv"));
    assertThat(lines).hasSize(3);
    assertThat(lines.getFirst()).isEqualTo(HEAD + ",predicted,low,high");
    assertThat(lines.get(1)).isEqualTo(lines.get(2)).matches(PAIR + "(,[01]\\.\\d+){3}");
  }

  @Test
  void whatIsAskedForNeedNotBeInTheTable() throws IOException {
    String columns = "gpu,family,batch,co_family,co_batch";
    Files.writeString(folder.resolve("asked.csv"), columns + "\nV100,lm,20,a3c,4\n");
    Files.writeString(folder.resolve("whole.csv"), HEAD + "\nV100,lm,20,,,,,,a3c,4,,,,,,\n");

    Command command = run("predict interference --data asked.csv --out predicted.csv");
    run("predict interference --data whole.csv --out whole-predicted.csv");

    assertThat(command.errors()).isEmpty();
    List<String> lines = Files.readAllLines(folder.resolve("predicted.csv"));
    assertThat(lines.getFirst()).isEqualTo(columns + ",predicted,low,high");
    String answer = lines.getLast().substring("V100,lm,20,a3c,4".length());
    assertThat(Files.readAllLines(folder.resolve("whole-predicted.csv")).getLast())
        .endsWith(answer);
  }

  @Test
  void whatWasObservedIsLearnedBeforeTheFirstAnswerAndExplained() throws IOException {
    String asked = PAIR.replace("a3c,4", "unheard-of,4").replace(",0.7", ",");
    Files.writeString(folder.resolve("asked.csv"), HEAD + "\n" + asked + "\n");
    String seen = asked + "0.31\n";
    Files.writeString(folder.resolve("seen.csv"), HEAD + "\n" + seen + seen + seen);

    run("predict interference --data asked.csv --explain --out before.csv");
    Command after =
        run("predict interference --data asked.csv --observed seen.csv --explain --out after.csv");

    assertThat(after.status()).isZero();
    List<String> before = Files.readAllLines(folder.resolve("before.csv"));
    assertThat(before.getFirst()).endsWith(",source_of_prediction,explanation");
    assertThat(before.getLast()).contains("default", "nothing watched on this GPU model");
    String learned = Files.readAllLines(folder.resolve("after.csv")).getLast();
    assertThat(learned).contains("measured", "this pair 3 times");
    assertThat(Double.parseDouble(learned.substring(asked.length()).split(",", -1)[1]))
        .isBetween(0.28, 0.36);
  }

  @Test
  void aTableMayBeExtendedInPlace() throws IOException {
    run("predict interference --data pairs.csv --out predicted.csv");

    assertThat(run("predict interference --data pairs.csv --out pairs.csv").status()).isZero();
    assertThat(folder.resolve("pairs.csv"))
        .hasSameTextualContentAs(folder.resolve("predicted.csv"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "train similarity --data none.csv --out m          | no such file or folder: ",
        "predict interference --data none.csv --out p      | no such file or folder: ",
        "predict interference --data pairs.csv --observed empty.csv --out p | at least one row must"
            + " have retained_speed",
        "predict interference --data pairs.csv --out no/p  | there is no folder ",
        "predict interference --model m --data pairs.csv --out p | no such file or folder: ",
        "convert gavel --data none.json --out p            | no such file or folder: ",
        "train interference --data pairs.csv --out m       | at least 40 measured",
        "train interference --data pairs.csv --extra-data none.csv --out m | no such file or"
            + " folder: ",
        "train interference --data text.json --out m       | must be JSON, but: Unrecognized token"
            + " 'so'",
        "convert gavel --data nothing.json --out p         | pairs of one-GPU jobs, but there are"
            + " none in "
      })
  void badInputIsRefusedInOneLine(String line, String message) {
    Command command = run(line);

    assertThat(command.errors()).contains(message).doesNotContain("Exception", "unexpected");
    assertThat(command.errors().lines()).hasSize(1);
    assertThat(command.output()).isEmpty();
    assertThat(command.status()).isEqualTo(2);
  }

  /** Runs a command line in which the files are those of the folder. */
  private Command run(String line) {
    String[] words = line.split(" ");
    for (int i = 1; i < words.length; i++) {
      if (List.of("--data", "--extra-data", "--observed", "--out", "--model")
          .contains(words[i - 1])) {
        words[i] = folder.resolve(words[i]).toString();
      }
    }
    return Command.run(words);
  }
}
