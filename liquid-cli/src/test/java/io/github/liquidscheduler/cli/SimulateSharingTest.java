package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Simulations whose jobs share GPUs, with slowdowns from a table. */
class SimulateSharingTest {

  private static final String PAIRS_HEADER = "gpu,family,batch,co_family,co_batch,retained_speed\n";
  private static final String JOBS_HEADER = "submit_time,num_gpu,duration,model_name,batch_size\n";
  private static final String PAIRS =
      PAIRS_HEADER + "V100,alpha,8,beta,8,0.8\nV100,beta,8,alpha,8,0.6\n";

  /** On a GPU together alpha ends at 100 / .8 = 125 s; beta then has 90 - 125 * .6 = 15 s left. */
  private static final String JOBS = JOBS_HEADER + "0,1,100,alpha,8\n0,1,90,beta,8\n";

  @TempDir Path folder;

  private Path jobs;
  private Path pairs;

  @BeforeEach
  void writeFiles() throws IOException {
    jobs = Files.writeString(folder.resolve("jobs.csv"), JOBS);
    pairs = Files.writeString(folder.resolve("pairs.csv"), PAIRS);
  }

  private Command simulate(String... more) {
    List<String> arguments = new ArrayList<>(List.of("simulate", "--trace", jobs.toString()));
    if (!List.of(more).contains("--cluster")) {
      arguments.addAll(List.of("--cluster", "1x1xV100"));
    }
    arguments.addAll(List.of("--policy", "best-effort-fifo"));
    arguments.addAll(List.of(more));
    return Command.run(arguments.toArray(String[]::new));
  }

  private Command share(String... more) {
    List<String> arguments = new ArrayList<>(List.of("--slowdowns", pairs.toString()));
    arguments.addAll(List.of(more));
    return simulate(arguments.toArray(String[]::new));
  }

  @Test
  void twoJobsEndWhenTheirMeasuredSpeedsSay() {
    assertThat(share("--colocate", "measured", "--csv", "-").output().lines().skip(1))
        .containsExactly(
            "0,1,finished,0,0,125,125,0,125,0,0,", "1,1,finished,0,0,140,140,0,140,0,0,");
  }

  @Test
  void inBatchModeTheyStartTogetherWhenTheWindowCloses() {
    assertThat(
            share("--colocate", "measured", "--mode", "batch", "--window", "10s", "--csv", "-")
                .output()
                .lines()
                .skip(1))
        .containsExactly(
            "0,1,finished,0,10,135,135,10,125,0,0,", "1,1,finished,0,10,150,150,10,140,0,0,");
  }

  @Test
  void theSummarySaysWhatSharingCameToAndWhatWouldBeWithout() {
    assertThat(share("--colocate", "measured").output())
        .contains("shared GPU time   89.3 % of the time held (2m 05s); 2 jobs shared")
        .contains("retained speed    70.0 % while sharing; guaranteed jobs below their floor 0.0 %")
        .contains("separated         0 because of interference (0 pre-empted, 0 migrated)")
        .contains("Without --slowdowns the average completion time is 2m 25s, and the makespan 3m");
  }

  @Test
  void theJsonHasTheSameFigures() {
    Command command = share("--colocate", "measured", "--json", "-");

    assertThat(command.figure("shared_gpu_seconds")).isEqualTo(125);
    assertThat(command.figure("held_gpu_seconds")).isEqualTo(140);
    assertThat(command.figure("retained_speed")).isCloseTo(.7, within(1e-12));
    assertThat(command.figure("interference_preemptions")).isZero();
    assertThat(command.output()).contains("\"colocate\" : \"measured\"");
  }

  @Test
  void jobsThatArePredictedToSufferWaitForEachOther() {
    Command guaranteed = share("--guaranteed", "1", "--csv", "-");

    assertThat(guaranteed.output().lines().skip(1))
        .containsExactly(
            "0,1,finished,0,0,100,100,0,100,0,0,", "1,1,finished,0,100,190,190,100,90,0,0,");
  }

  @Test
  void jobsWhoseReportsContradictThePredictionAreSeparated() throws IOException {
    Files.writeString(pairs, PAIRS_HEADER + "V100,alpha,8,beta,8,0.3\nV100,beta,8,alpha,8,0.3\n");
    Files.writeString(jobs, JOBS_HEADER + "0,1,10000,alpha,8\n0,1,9000,beta,8\n");

    Command command = share("--guaranteed", "0", "--json", "-");

    assertThat(command.figure("interference_preemptions")).isEqualTo(1);
    assertThat(command.figure("shared_gpu_seconds")).isEqualTo(240);
  }

  @Test
  void jobsThatTheTableDoesNotHaveAreCountedAndGetGpusOfTheirOwn() throws IOException {
    Files.writeString(jobs, JOBS + "0,1,50,gamma,8\n");

    Command command = share("--colocate", "measured", "--csv", "-");

    assertThat(command.errors())
        .hasLineCount(1)
        .contains("jobs.csv: 1 of 3 jobs have workloads that ")
        .contains("pairs.csv does not have, and get GPUs of their own; the first is job '2'");
    assertThat(command.output()).contains("2,1,finished,0,140,190,190,140,50,0,0,");
  }

  @Test
  void aPairThatTheTableDoesNotHaveDoesNotShare() throws IOException {
    Files.writeString(jobs, JOBS_HEADER + "0,1,100,alpha,8\n0,1,90,alpha,8\n");

    assertThat(share("--colocate", "measured", "--csv", "-").output())
        .contains("1,1,finished,0,100,190");
  }

  @Test
  void aPrecisionTellsWorkloadsApart() throws IOException {
    Files.writeString(
        pairs,
        """
        gpu,family,batch,precision,co_family,co_batch,co_precision,retained_speed
        V100,net,8,fp16,net,8,fp16,0.8
        V100,net,8,fp32,net,8,fp32,0.5
        """);
    Files.writeString(
        jobs,
        """
        submit_time,num_gpu,duration,model_name,batch_size,precision
        0,1,80,net,8,fp16
        0,1,80,net,8,fp16
        """);

    assertThat(share("--colocate", "measured", "--csv", "-").output())
        .contains("0,1,finished,0,0,100", "1,1,finished,0,0,100");

    Files.writeString(jobs, JOBS_HEADER + "0,1,80,net,8\n");
    assertRefused(share(), "job '0' (line 2) may be any of 'net (batch size 8, precision fp16)'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--format philly           | --slowdowns needs a trace that tells what jobs train (csv,",
        "--estimator shipped       | --slowdowns is not for --elastic",
        "--journal run.jsonl       | --slowdowns supports no --journal",
        "--colocate always         | --colocate must be predicted or measured, but was 'always'",
        "--floor 0                 | --floor above 0 and at most 1, but they were 0.25 and 0.0",
        "--guaranteed 2            | --guaranteed must be from 0 to 1",
        "--cluster 1x1xK80         | pairs.csv must have pairs on a GPU model of the cluster, [K80]"
      })
  void whatSharingDoesNotSupportIsRefused(String options, String message) {
    assertRefused(share(options.split(" ")), message);
  }

  @Test
  void withoutATableNobodyShares() {
    assertRefused(simulate("--floor", ".5"), "--colocate, --guaranteed and --floor need");
  }

  @Test
  void aBadTableIsNamedWithLineAndRule() throws IOException {
    Files.writeString(pairs, PAIRS_HEADER + "V100,alpha,8,alpha,8,1.2\n");

    assertRefused(
        share(),
        "pairs.csv:2: column 'retained_speed' must be a number above 0 and at most 1.05, but was"
            + " '1.2'");
  }

  private static void assertRefused(Command command, String message) {
    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).hasLineCount(1).contains(message);
    assertThat(command.output()).isEmpty();
  }
}
