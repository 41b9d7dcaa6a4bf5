package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoundsTest {

  private static final String JOBS =
      """
      job,arrival,weight,rounds,scale
      J1,0,1,1,2
      J2,0,1,1,3
      J3,0,2,2,2
      """;
  private static final String TIMES =
      """
      job,gpu_model,compute_seconds,sync_seconds
      J1,A,1.5,0
      J1,B,2,0
      J1,C,1,0
      J2,A,1,0
      J2,B,2,0
      J2,C,1,0
      J3,A,2,0.25
      J3,B,1.5,0.25
      J3,C,0.5,0.25
      """;

  @TempDir Path folder;

  private Command rounds(String jobs, String times, String... more) throws IOException {
    Path jobsFile = Files.writeString(folder.resolve("jobs.csv"), jobs);
    Path timesFile = Files.writeString(folder.resolve("times.csv"), times);
    String[] arguments = new String[5 + more.length];
    arguments[0] = "rounds";
    arguments[1] = "--jobs";
    arguments[2] = jobsFile.toString();
    arguments[3] = "--times";
    arguments[4] = timesFile.toString();
    System.arraycopy(more, 0, arguments, 5, more.length);
    return Command.run(arguments);
  }

  @Test
  void theTableHasEachJobAndWhatThePlanComesTo() throws IOException {
    Command command = rounds(JOBS, TIMES, "--fleet", "1xA,1xB,1xC");

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .contains("J1 ", "average completion", "makespan", "lower bound of that", "alpha")
        .contains("bound                          24.000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hlas", "las", "srpt", "gang-las"})
  void jobsAreScheduledWhileTheyRun(String algorithm) throws IOException {
    Command command =
        rounds(JOBS, TIMES, "--fleet", "1xA,1xB,1xC", "--algorithm", algorithm, "--json", "-");

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .contains("\"algorithm\" : \"" + algorithm + "\"")
        .doesNotContain("gpu_choice");
    assertThat(command.output().lines().filter(line -> line.contains("\"round\""))).hasSize(9);
    assertThat(command.figure("weighted_end"))
        .isGreaterThanOrEqualTo(command.figure("lower_bound"));
  }

  @Test
  void theJsonHasEveryTaskOnce() throws IOException {
    Command command =
        rounds(JOBS, TIMES, "--fleet", "1xA,1xB,1xC", "--gpu-choice", "eat", "--json", "-");

    assertThat(command.status()).isZero();
    assertThat(command.output()).contains("\"gpu_choice\" : \"eat\"");
    assertThat(command.output().lines().filter(line -> line.contains("\"round\""))).hasSize(9);
    assertThat(command.figure("alpha")).isEqualTo(4);
    assertThat(command.figure("bound")).isEqualTo(24);
    assertThat(command.figure("weighted_end"))
        .isGreaterThanOrEqualTo(command.figure("lower_bound"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "J3,0,2,2,2     | J3,0,2,2,0  | jobs.csv:4: | scale",
        "J3,0,2,2,2     | J3,0,2,0,2  | jobs.csv:4: | rounds",
        "J3,0,2,2,2     | J3,-1,2,2,2 | jobs.csv:4: | arrival",
        "J3,0,2,2,2     | J3,0,0,2,2  | jobs.csv:4: | weight",
        "J3,0,2,2,2     | J1,0,2,2,2  | jobs.csv:4: | must come once",
        "J3,0,2,2,2     | J4,0,2,2,2  | jobs.csv:4: | must have times for GPU model 'A'",
        "J2,B,2,0       | J2,B,0,0    | times.csv:6: | compute_seconds",
        "J2,B,2,0       | J2,B,2,-1   | times.csv:6: | sync_seconds",
        "J2,B,2,0       | J2,A,2,0    | times.csv:6: | must come once for each job"
      })
  void badInputIsRefusedByItsLine(String good, String bad, String place, String rule)
      throws IOException {
    Command command =
        rounds(JOBS.replace(good, bad), TIMES.replace(good, bad), "--fleet", "1xA,1xB,1xC");

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors().lines()).hasSize(1);
    assertThat(command.errors()).contains(place, rule);
  }

  @ParameterizedTest
  @CsvSource({"0xA", "A", "''", "'1xA,'"})
  void aFleetMustHaveGpus(String fleet) throws IOException {
    Command command = rounds(JOBS, TIMES, "--fleet", fleet);

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).contains("a fleet must be like 8xV100,4xT4");
  }

  @Test
  void anUnknownChoiceOfGpusIsRefusedByName() throws IOException {
    Command command = rounds(JOBS, TIMES, "--fleet", "1xA", "--gpu-choice", "best");

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).contains("eat, eat-tie, eft, eftg", "'best'");
  }

  @Test
  void anUnknownAlgorithmIsRefusedByName() throws IOException {
    Command command = rounds(JOBS, TIMES, "--fleet", "1xA,1xB,1xC", "--algorithm", "best");

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).contains("an algorithm must be one of wspt", "'best'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"400,60", "0,60", "60,60", "60,", "x", "Infinity", "NaN"})
  void thresholdsMustRiseFromAboveZero(String thresholds) throws IOException {
    Command command = rounds(JOBS, TIMES, "--fleet", "1xA,1xB,1xC", "--thresholds", thresholds);

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).contains("thresholds must be seconds that rise", thresholds);
  }

  @Test
  void localSearchFindsABetterPlan() throws IOException {
    String[] fleet = {"--fleet", "1xA,1xB,1xC", "--gpu-choice", "eat", "--json", "-"};
    Command plain = rounds(JOBS, TIMES, fleet);
    Command improved =
        rounds(
            JOBS,
            TIMES,
            Stream.concat(Stream.of(fleet), Stream.of("--steps", "200", "--seed", "7"))
                .toArray(String[]::new));

    assertThat(improved.status()).isZero();
    assertThat(improved.output()).contains("\"steps\" : \"200\"", "\"seed\" : \"7\"");
    assertThat(improved.figure("weighted_end"))
        .isBetween(improved.figure("lower_bound"), plain.figure("weighted_end") - 0.5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1.5", "many", "9999999999"})
  void stepsMustBeAWholeNumber(String steps) throws IOException {
    Command command = rounds(JOBS, TIMES, "--fleet", "1xA,1xB,1xC", "--steps", steps);

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).contains("steps must be a whole number", steps);
  }

  @ParameterizedTest
  @CsvSource({
    "gang-fifo, 7.0",
    "gang-sjf, 7.0",
    "homo, 8.5",
    "allox, 4.0",
    "wspt, 3.5",
    "fluid, 3.5",
    "lp, 3.5",
    "rolling, 3.5"
  })
  void everyAlgorithmHasItsPlan(String algorithm, double makespan) throws IOException {
    Command command =
        rounds(JOBS, TIMES, "--fleet", "1xA,1xB,1xC", "--algorithm", algorithm, "--json", "-");

    assertThat(command.status()).isZero();
    assertThat(command.output()).contains("\"algorithm\" : \"" + algorithm + "\"");
    assertThat(command.figure("makespan")).isEqualTo(makespan);
  }

  @Test
  void aGangThatCanNeverFitIsRefusedByItsFile() throws IOException {
    Command command =
        rounds(JOBS, TIMES, "--fleet", "1xA,1xB", "--algorithm", "gang-fifo", "--json", "-");

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors().lines()).hasSize(1);
    assertThat(command.errors()).contains("jobs.csv: a gang must have at most", "job 'J2' has 3");
  }

  private static final String JOBS_WITH_MODELS =
      """
      job,arrival,weight,rounds,scale,model,memory_gib
      J1,0,1,1,2,VGG19,4
      J2,0,1,1,3,Bert_base,9
      J3,0,2,2,2,GraphSAGE,
      """;

  @ParameterizedTest
  @CsvSource({"none, 0", "default, 3.0", "pipeswitch, 0.002", "hare, 0.002"})
  void switchingTakesTime(String technique, double atLeast) throws IOException {
    Command command =
        rounds(
            JOBS_WITH_MODELS,
            TIMES,
            "--fleet",
            "1xA,1xB,1xC",
            "--switching",
            technique,
            "--json",
            "-");

    assertThat(command.status()).isZero();
    assertThat(command.figure("makespan")).isGreaterThanOrEqualTo(3.5 + atLeast);
    assertThat(command.output().contains("\"switches\"")).isEqualTo(!technique.equals("none"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hlas", "las", "srpt"})
  void gpusSwitchWhileJobsRun(String algorithm) throws IOException {
    String[] options = {"--fleet", "1xA,1xB,1xC", "--algorithm", algorithm, "--json", "-"};
    Command none = rounds(JOBS_WITH_MODELS, TIMES, options);
    String[] more = Arrays.copyOf(options, options.length + 2);
    more[options.length] = "--switching";
    more[options.length + 1] = "default";

    Command command = rounds(JOBS_WITH_MODELS, TIMES, more);

    assertThat(command.output()).contains("\"switching\" : \"default\"");
    assertThat(command.figure("switches")).isPositive();
    assertThat(command.figure("switching_seconds"))
        .isGreaterThanOrEqualTo(3 * command.figure("switches"));
    assertThat(command.figure("avg_jct")).isGreaterThan(none.figure("avg_jct") + 3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Bert_base,9 | ,9          | jobs.csv:3: column 'model' must not be blank",
        "Bert_base,9 | GPT,9       | jobs.csv:3: column 'model' must be one whose switching times",
        "Bert_base,9 | Bert_base,0 | jobs.csv:3: column 'memory_gib' must be a number above 0"
      })
  void modelsAreRefusedByTheirLine(String good, String bad, String message) throws IOException {
    Command command =
        rounds(
            JOBS_WITH_MODELS.replace(good, bad),
            TIMES,
            "--fleet",
            "1xA,1xB,1xC",
            "--switching",
            "hare");

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors().lines()).hasSize(1);
    assertThat(command.errors()).contains(message);
  }

  @Test
  void switchingNeedsModels() throws IOException {
    Command command = rounds(JOBS, TIMES, "--fleet", "1xA,1xB,1xC", "--switching", "hare");

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).contains("jobs.csv", "must have the column 'model'");
  }

  @ParameterizedTest
  @CsvSource({"--switching, fast, hare", "--gpu-memory, V100, memory of GPUs must be GiB"})
  void badSwitchingOptionsAreRefused(String option, String value, String message)
      throws IOException {
    Command command = rounds(JOBS, TIMES, "--fleet", "1xA,1xB,1xC", option, value);

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).contains(message, "'" + value + "'");
  }

  @Test
  void theReportHasABarForEachTask() throws IOException {
    Path page = folder.resolve("plan.html");
    Command command =
        rounds(
            JOBS,
            TIMES,
            "--fleet",
            "1xA,1xB,1xC",
            "--algorithm",
            "allox",
            "--html",
            page.toString());

    assertThat(command.status()).isZero();
    String text = Files.readString(page);
    assertThat(text).contains("Under allox, jobs take", "3 GPUs", "Content-Security-Policy");
    String bars = text.replaceAll("(?s).*\"rounds\":\\[(\\[.*?\\])\\].*", "$1");
    assertThat(bars.split("],\\[", -1)).hasSize(1 + 1 + 2);
  }
}
