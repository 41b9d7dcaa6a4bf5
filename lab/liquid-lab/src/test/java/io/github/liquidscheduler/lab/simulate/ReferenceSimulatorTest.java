package io.github.liquidscheduler.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.lab.LabRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures that the simulator of Tiresias (NSDI 2019) gives, through the command. */
class ReferenceSimulatorTest {

  private static Command simulate(String trace, String cluster, String policy) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "simulate",
                "--trace",
                Command.publicData(trace),
                "--format",
                "tiresias",
                "--cluster",
                cluster,
                "--policy",
                policy,
                "--reference",
                "tiresias",
                "--json",
                "-"));
    if (policy.endsWith("gittins")) {
      arguments.add("--service-samples");
      arguments.add(Command.publicData("tiresias/simulator/yarn-gput1000.csv"));
    }
    return LabRun.of(arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "fifo,             423.483, 374.5, 1361.57, 3645",
    "fjf,              310.417, 194,   1312.62, 3304",
    "dlas,             310.417, 194,   1312.62, 3304",
    "dlas-gpu,         310.417, 194,   1312.62, 3304",
    "sjf,              413.433, 127.5, 1802.46, 3271",
    "shortest,         273.500, 145,   1946.07, 3433",
    "shortest-gpu,     353.433, 130.5, 2393.35, 3344",
    "dlas-gpu-gittins, 443.717, 149,   2298.76, 3397"
  })
  void sixtyJobsOnTwelveGpus(
      String policy, double average, double median, double p99, double makespan) {
    Command command = simulate("tiresias/simulator/60_job.csv", "3x4xP100", policy);

    assertThat(command.figure("jobs")).isEqualTo(60);
    assertFigures(command, average, median, p99, makespan);
  }

  @ParameterizedTest
  @CsvSource({
    "fifo,             4053.352, 1463,  34952.83, 93142, 1945609",
    "fjf,              3120.498, 593,   33863.47, 88951, 1497839",
    "sjf,              3271.096, 547.5, 34141.55, 87974, 1570126",
    "shortest,         2987.700, 542.5, 39024.14, 91957, 1434096",
    "shortest-gpu,     2886.175, 542.5, 35710.64, 87974, 1385364",
    "dlas,             2992.735, 547.5, 35672.12, 87974, 1436513",
    "dlas-gpu,         3143.892, 542.5, 34794.28, 87974, 1509068",
    "dlas-gpu-1,       2966.429, 544,   35089.16, 88292, 1423886",
    "dlas-gpu-gittins, 2934.490, 542.5, 35332.51, 87974, 1408555"
  })
  void fourHundredAndEightyJobsOnSixtyFourGpus(
      String policy, double average, double median, double p99, double makespan, double sum) {
    Command command = simulate("synthetic/synth480.csv", "8x8xV100", policy);

    assertThat(command.figure("sum_jct")).isEqualTo(sum);
    assertFigures(command, average, median, p99, makespan);
  }

  @Test
  void theSimulatorOfLucidIsReachedByItsName() {
    Command command =
        LabRun.of(
            "simulate",
            "--trace",
            Command.publicData("synthetic/synth480.csv"),
            "--format",
            "tiresias",
            "--cluster",
            "8x8xV100",
            "--reference",
            "lucid",
            "--policy",
            "tiresias",
            "--json",
            "-");

    assertFigures(command, 3342.254, 587, 37325.73, 92107);
    assertThat(command.figure("preemptions")).isEqualTo(112);
  }

  private static void assertFigures(
      Command command, double average, double median, double p99, double makespan) {
    assertThat(command.figure("avg_jct")).isCloseTo(average, within(0.0005));
    assertThat(command.figure("median_jct")).isEqualTo(median);
    assertThat(command.figure("p99_jct")).isCloseTo(p99, within(0.005));
    assertThat(command.figure("makespan")).isEqualTo(makespan);
  }
}
