package io.github.liquidscheduler.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.lab.LabRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The figures that the simulator of Gavel (OSDI 2020) gives, through the command. */
class GavelReferenceTest {

  private static final String WHOLE_CLUSTER = "8xV100,16xP100,24xK80";

  private static Command simulate(String trace, String cluster, String policy, String... more) {
    return simulateFile(trace(trace), cluster, policy, more);
  }

  private static Command simulateFile(String file, String cluster, String policy, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "simulate",
                "--trace",
                file,
                "--format=gavel",
                "--cluster",
                cluster,
                "--throughputs",
                Command.publicData("gavel/simulation_throughputs.json"),
                "--policy",
                policy,
                "--reference=gavel",
                "--json=-"));
    arguments.addAll(List.of(more));
    return LabRun.of(arguments.toArray(String[]::new));
  }

  private static String trace(String name) {
    return Command.publicData("gavel/traces/physical_cluster/" + name + ".trace");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "artifact_evaluation | 2xV100,4xK80          | 6723.921  | 6863.5  | 12816.1 | 12994.9",
        "max_min_fairness    | 8xV100,16xP100,24xK80 | 19526.854 | 20388.7 | 31473.2 | 72319.9",
        "minimize_makespan   | 8xV100,16xP100,24xK80 | 40257.935 | 37013.0 | 81876.7 | 90701.3"
      })
  void firstInFirstOutHasTheNumbersOfTheOriginal(
      String trace, String cluster, double average, double median, double p99, double makespan) {
    Command command = simulate(trace, cluster, "fifo_perf");

    assertThat(command.figure("avg_jct")).isCloseTo(average, within(0.001));
    assertThat(command.figure("median_jct")).isCloseTo(median, within(0.051));
    assertThat(command.figure("p99_jct")).isCloseTo(p99, within(0.051));
    assertThat(command.figure("makespan")).isCloseTo(makespan, within(0.051));
  }

  @ParameterizedTest
  @CsvSource({"max_min_fairness, 14991.352", "minimize_makespan, 35936.207"})
  void maxMinFairnessIsWithinOnePercentOfTheOriginal(String trace, double average) {
    Command command = simulate(trace, WHOLE_CLUSTER, "max_min_fairness_perf");

    assertThat(command.figure("avg_jct")).isCloseTo(average, Percentage.withPercentage(1));
  }

  /**
   * The numbers are those of AlloX's own steps, with the solver that it uses, in rounds written
   * anew from their description.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "medium_test       | 4xV100,4xP100,4xK80   | 12677.6",
        "medium_test       | 2xV100,4xK80          | 27263.0",
        "max_min_fairness  | 8xV100,16xP100,24xK80 | 10189.5",
        "max_min_fairness  | 2xV100,4xP100,6xK80   | 25805.7",
        "minimize_makespan | 4xV100,8xP100,12xK80  | 25460.7"
      })
  void alloxIsWithinItsTiesOnJobsOfOneGpu(
      String trace, String cluster, double average, @TempDir Path folder) throws IOException {
    Path single = folder.resolve("single.trace");
    Files.write(
        single,
        Files.readAllLines(Path.of(trace(trace))).stream()
            .filter(line -> line.split("\t", -1)[6].equals("1"))
            .toList());

    Command command = simulateFile(single.toString(), cluster, "allox");

    assertThat(command.figure("avg_jct")).isCloseTo(average, Percentage.withPercentage(2.5));
  }

  @Test
  void alloxRefusesJobsOfSeveralGpusInOneLine() {
    Command command = simulate("max_min_fairness", WHOLE_CLUSTER, "allox");

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors())
        .contains("a job must have 1 GPU for allox, but has 4, for job '0' (line 1)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2"})
  void gandivaIsWithinWhatItsRandomPairsMakeOfTheOriginal(String seed) {
    Command command = simulate("max_min_fairness", WHOLE_CLUSTER, "gandiva", "--seed", seed);

    assertThat(command.figure("avg_jct")).isCloseTo(17379.358, Percentage.withPercentage(5));
  }

  @Test
  void theMakespanIsShortestUnderThePolicyForIt() {
    double makespan =
        simulate("minimize_makespan", WHOLE_CLUSTER, "min_total_duration_perf").figure("makespan");

    assertThat(makespan)
        .isLessThan(
            simulate("minimize_makespan", WHOLE_CLUSTER, "max_min_fairness_perf")
                .figure("makespan"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"max_sum_throughput_perf", "max_sum_throughput_normalized_by_cost_perf"})
  void everyJobIsDoneUnderTheOthersToo(String policy) {
    assertThat(simulate("artifact_evaluation", "2xV100,4xK80", policy).figure("finished"))
        .isEqualTo(15);
  }

  @ParameterizedTest
  @CsvSource({
    "comparative_advantage,              0.86",
    "comparative_advantage_known,        0.83",
    "comparative_advantage_packed,       0.84",
    "comparative_advantage_packed_known, 0.8"
  })
  void comparativeAdvantageShortensTheAverageOfMaxMinFairness(String policy, double most) {
    Command command = simulate("max_min_fairness", WHOLE_CLUSTER, policy);

    assertThat(command.figure("avg_jct")).isLessThan(most * 14991.352);
    assertThat(command.figure("finished")).isEqualTo(96);
  }

  @Test
  void anUnknownPolicyIsRefusedInOneLine() {
    Command command = simulate("artifact_evaluation", "2xV100,4xK80", "fairest");

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors())
        .contains("a policy of --reference gavel must be one of fifo_perf,")
        .contains("but was 'fairest'");
  }
}
