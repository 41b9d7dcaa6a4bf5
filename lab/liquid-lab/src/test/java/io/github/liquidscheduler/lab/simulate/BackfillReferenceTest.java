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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reference simulation of backfill, through the command. */
class BackfillReferenceTest {

  private static final String RACKS =
      """
      {"levels": ["rack"],
       "domains": [{"level": "rack", "id": "r%d", "count": 4}],
       "nodes": [{"id": "n%d", "count": 8, "domain": "r%d", "perDomain": 2,
                  "gpus": [{"count": 8, "model": "P100", "memory": "16GiB"}]}]}
      """;

  @TempDir Path folder;

  private static Command simulate(String trace, String cluster, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "simulate",
                "--trace=" + trace,
                "--format=tiresias",
                "--cluster=" + cluster,
                "--reference=backfill"));
    arguments.addAll(List.of(more));
    return LabRun.of(arguments.toArray(String[]::new));
  }

  private String threeJobs() throws IOException {
    Path trace = folder.resolve("jobs.csv");
    String jobs = "job_id,num_gpu,submit_time,duration\na,3,0,10\nb,4,1,5\nc,1,2,9\n";
    return Files.writeString(trace, jobs).toString();
  }

  @ParameterizedTest
  @CsvSource({
    "64xP100,  easy,         4, 520.029167,  0, 4566.83,  3318.160417, 91529, 105",
    "64xP100,  conservative, 0, 542.677083,  0, 4405.34,  3340.808333, 91155, 155",
    "8x8xP100, fifo,         0, 6020.7125,   0, 21480.63, 8818.84375,  106878, 0",
    "8x8xP100, easy,         0, 575.972917,  0, 10292.43, 3374.104167, 90918, 25",
    "racks,    fifo,         0, 9644.49375,  1287, 35152.66, 12442.625, 121076, 0",
    "racks,    conservative, 0, 1074.98125,  0, 14812.46, 3873.1125,   93943, 88"
  })
  void theFiguresAreThoseOfThePublishedRules(
      String cluster,
      String policy,
      int reservations,
      double wait,
      double median,
      double p99,
      double completion,
      double makespan,
      double promises)
      throws IOException {
    List<String> options = new ArrayList<>(List.of("--policy=" + policy, "--json=-"));
    if (reservations > 0) {
      options.add("--reservations=" + reservations);
    }
    String shape =
        cluster.equals("racks")
            ? Files.writeString(folder.resolve("racks.json"), RACKS).toString()
            : cluster;
    Command command =
        simulate(
            Command.publicData("synthetic/synth480.csv"), shape, options.toArray(String[]::new));

    assertThat(command.errors()).isEmpty();
    assertThat(command.figure("avg_wait")).isCloseTo(wait, within(1e-6));
    assertThat(command.figure("median_wait")).isEqualTo(median);
    assertThat(command.figure("p99_wait")).isCloseTo(p99, within(1e-6));
    assertThat(command.figure("avg_jct")).isCloseTo(completion, within(1e-6));
    assertThat(command.figure("makespan")).isEqualTo(makespan);
    assertThat(command.figure("promises")).isEqualTo(promises);
    assertThat(command.figure("promises_kept")).isEqualTo(promises);
  }

  @Test
  void theSummaryShowsPromises() throws IOException {
    assertThat(simulate(threeJobs(), "4xP100", "--policy=conservative").output())
        .contains("reference         backfill", "promises          2, 2 kept");
    assertThat(simulate(threeJobs(), "4xP100", "--policy=easy", "--reservations=2").output())
        .contains("reservations      2", "promises          2, 2 kept");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4xP100 | --policy=las | must be one of fifo, best-effort-fifo, easy, conservative",
        "4xP100 | --policy=fifo --reservations=2 | only easy has them, but were 2, for fifo",
        "4xP100 | --policy=easy --reservations=0 | reservations must be at least 1",
        "3xP100 | --policy=easy | must fit into the cluster of 1 node of 3 GPUs",
        "4xP100,1x8xP100 | --policy=easy | the same number of GPUs per node everywhere",
        "4xP100 | --policy=easy --strict | supports none of the conditions"
      })
  void whatDoesNotGoTogetherIsRefusedInOneLine(String cluster, String options, String message)
      throws IOException {
    assertRefused(simulate(threeJobs(), cluster, options.split(" ", -1)), message);
  }

  @Test
  void reservationsAreForBackfillOnly() throws IOException {
    assertRefused(
        LabRun.of(
            "simulate",
            "--trace=" + threeJobs(),
            "--format=tiresias",
            "--cluster=4xP100",
            "--reservations=2"),
        "--reservations is for --backfill easy");
  }

  private static void assertRefused(Command command, String message) {
    assertThat(command.errors()).contains(message).doesNotContain("Exception");
    assertThat(command.errors().lines()).hasSize(1);
    assertThat(command.status()).isEqualTo(2);
  }
}
