package io.github.liquidscheduler.lab.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.lab.LabRun;
import io.github.liquidscheduler.shareddata.SharedData;
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

class ReproduceElasticTest {

  @TempDir Path folder;

  @BeforeEach
  void writeCurves() throws IOException {
    Files.writeString(
        folder.resolve("vgg16.csv"),
        "global_batch_size,1,2,4,8\n64,1,1.9,3.4,5.6\n128,.6,1.1,2,3\n");
  }

  private Command reproduce(String... more) {
    return compare(folder, more);
  }

  private static Command compare(Path curves, String... more) {
    List<String> arguments = new ArrayList<>(List.of("reproduce", "elastic-tiresias"));
    arguments.add("--curves=" + curves);
    arguments.addAll(List.of(more));
    return LabRun.of(arguments.toArray(String[]::new));
  }

  @Test
  void eachLoadHasATable() {
    Command command = reproduce("--jobs=20", "--gpus=8", "--seeds=2", "--load=0.5,2");

    assertThat(command.errors()).isEmpty();
    assertThat(command.output())
        .startsWith("20 jobs on 8 GPUs.\n")
        .contains("Load 0.50; philly-24h, uniform sizes, 2 queues, cost free.", "Load 2.00;")
        .containsPattern("tiresias +\\d+ +0\\.0 % +0\\.0 %")
        .containsPattern("elastic-tiresias, N=0 +\\d+ ")
        .containsPattern("bound by prices +\\d+ .* +- +-\n");
  }

  @Test
  void theRangeHasARowForEachVariationAndLoad() {
    Command command = reproduce("--range", "--jobs=5", "--gpus=4", "--seeds=1", "--load=1");

    assertThat(command.errors()).isEmpty();
    assertThat(command.output().lines().filter(line -> line.contains("  1.00  "))).hasSize(11);
    assertThat(command.output())
        .contains(
            "philly-72h, uniform sizes, 2 queues, cost free",
            "philly-24h, small sizes, 2 queues, cost free",
            "philly-24h, uniform sizes, 3 queues, cost free",
            "philly-24h, uniform sizes, 2 queues, cost stop");
  }

  @Test
  void theSchedulerItselfIsComparedOnNodes() {
    Command command =
        reproduce(
            "--through-scheduler",
            "--jobs=8",
            "--gpus=8",
            "--gpus-per-node=4",
            "--seeds=2",
            "--load=1");

    assertThat(command.errors()).isEmpty();
    assertThat(command.output())
        .contains("4 GPUs per node, spread speed 0.8")
        .containsPattern("submitted sizes +\\d+ +0\\.0 %")
        .containsPattern("elastic-tiresias, N=0 +\\d+ ")
        .containsPattern("afs, N=0 +\\d+ ")
        .doesNotContain("bound");
  }

  @Test
  void theJsonHasTheAverageOfEachSeed() {
    Command command = reproduce("--jobs=5", "--gpus=4", "--seeds=2", "--load=1", "--json=-");

    assertThat(command.output())
        .startsWith("[\n")
        .contains("\"load\" : 1.0", "\"policy\" : \"shadow-price-known\"", "\"avg_jct_by_seed\"")
        .endsWith("]\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--seeds=0 | --seeds and --jobs must be from 1 to 10000",
        "--first-seed=-1 | --first-seed from 0",
        "--gpus=1 | --gpus from 2",
        "--load=0 | --load must be above 0",
        "--durations=long | durations must be philly-8h,",
        "--sizes=large | a mix of sizes must be one of uniform,",
        "--scaling-cost=dear | a scaling cost must be zero, free or stop",
        "--through-scheduler --range | --through-scheduler has its own queues and no --range",
        "--through-scheduler --gpus=10 | GPUs must fill whole nodes, but 10 are to be on nodes of"
            + " 8",
        "--through-scheduler --gpus-per-node=0 | --gpus-per-node must be at least 1, but was 0",
        "--through-scheduler --spread-speed=0 | the speed on more nodes than needed must be above"
            + " 0",
        "--service-thresholds=2,1 | service thresholds must be above 0 and ascend"
      })
  void wrongConditionsAreRefused(String option, String message) {
    Command command = reproduce(option.split(" "));

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).contains(message);
  }

  @Test
  void compactionWithoutRefillHurts() {
    Command command =
        compare(
            SharedData.file("elasticflow/throughputs_A100"),
            "--jobs=40",
            "--gpus=16",
            "--load=2",
            "--durations=philly-8h",
            "--first-seed=12",
            "--seeds=1");

    assertThat(command.output())
        .containsPattern("tiresias +7103 ")
        .containsPattern("compaction-only, N=2 +9352 +-31\\.7 %");
  }
}
