package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures that the simulator of Gavel (OSDI 2020) gives, through the command. */
class GavelReferenceTest {

  private static Command simulate(String trace, String cluster, String policy) {
    return Command.run(
        "simulate",
        "--trace",
        Command.publicData("gavel/traces/physical_cluster/" + trace + ".trace"),
        "--format=gavel",
        "--cluster",
        cluster,
        "--throughputs",
        Command.publicData("gavel/simulation_throughputs.json"),
        "--policy",
        policy,
        "--reference=gavel",
        "--json=-");
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
    Command command = simulate(trace, "8xV100,16xP100,24xK80", "max_min_fairness_perf");

    assertThat(command.figure("avg_jct")).isCloseTo(average, Percentage.withPercentage(1));
  }
}
