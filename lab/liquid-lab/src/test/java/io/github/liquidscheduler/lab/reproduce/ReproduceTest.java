package io.github.liquidscheduler.lab.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.lab.LabRun;
import org.junit.jupiter.api.Test;

class ReproduceTest {

  @Test
  void theSensitivityTableIsAsRecorded() {
    Command command = LabRun.of("reproduce", "liquid", "sensitivity");

    assertThat(command.status()).isZero();
    assertThat(command.output().lines().skip(3).limit(20))
        .containsExactly(
            "model       placement  published s  ratio  simulated s  +-  ratio  model's cost"
                + " s/iteration",
            "-------------------------------------------------------------------------------------------",
            "vgg16             pww          510   1.00          495   7   1.00                    "
                + " 0.005",
            "vgg16            pw:w          767   1.50          745  11   1.50                    "
                + " 0.841",
            "vgg16           p:w:w          810   1.59          787  11   1.59                    "
                + " 1.395",
            "vgg16            p:ww         1190   2.33         1155  16   2.33                    "
                + " 1.948",
            "vgg16           1 GPU          220   0.43          214   3   0.43                    "
                + " 0.000",
            "vgg16          2 GPUs          227   0.45          220   3   0.45                    "
                + " 0.000",
            "resnet50          pww          203   1.00          198   3   1.00                    "
                + " 0.000",
            "resnet50         pw:w          204   1.00          198   3   1.00                    "
                + " 0.011",
            "resnet50        p:w:w          210   1.03          204   3   1.03                    "
                + " 0.064",
            "resnet50         p:ww          255   1.26          248   4   1.26                    "
                + " 0.151",
            "resnet50        1 GPU          146   0.72          142   2   0.72                    "
                + " 0.000",
            "resnet50       2 GPUs          164   0.81          160   2   0.81                    "
                + " 0.000",
            "inception3        pww          289   1.00          280   5   1.00                    "
                + " 0.000",
            "inception3       pw:w          295   1.02          286   5   1.02                    "
                + " 0.008",
            "inception3      p:w:w          290   1.00          281   5   1.00                    "
                + " 0.050",
            "inception3       p:ww          310   1.07          301   5   1.07                    "
                + " 0.126",
            "inception3      1 GPU          253   0.88          245   4   0.88                    "
                + " 0.000",
            "inception3     2 GPUs          257   0.89          249   5   0.89                    "
                + " 0.000");
  }

  @Test
  void theImmediateTableShowsOurSavingsBesideThePublishedOnes() {
    Command command =
        LabRun.of("reproduce", "liquid", "immediate", "--seeds=2", "--jobs=60", "--load=0.8");

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .contains("60 jobs", "load of 80 %", "mean over 2 seeds")
        .containsPattern("least-cost +- .* 0 % +0 % +0 % +-\n")
        .containsPattern("buddy-cells +HiveD .* 20 %\n")
        .containsPattern("least-allocated +Kubernetes .* 19 %\n")
        .containsPattern("5 x 4 K80 +one job +\\d+ % +14 % +14 % +0 %\n")
        .containsPattern("5 x 2 T4 +one job +\\d+ % +2 % +2 % +20 %\n");
  }

  @Test
  void wrongExperimentsAreRefusedInOneLine() {
    assertThat(LabRun.of("reproduce", "liquid", "immediate", "--load=2"))
        .isEqualTo(
            new Command(
                2,
                "",
                "liquid-lab reproduce liquid immediate: a load must be more than 0 and below 1, but"
                    + " was 2.0\n"));
    assertThat(LabRun.of("reproduce", "liquid", "sensitivity", "--seeds=0").errors())
        .startsWith(
            "liquid-lab reproduce liquid sensitivity: --seeds must be from 1 to 10000, but was 0");
    assertThat(LabRun.of("reproduce", "liquid").status()).isEqualTo(2);
    assertThat(LabRun.of("reproduce", "gandiva").status()).isEqualTo(2);
  }

  @Test
  void eventsAreComparedWithHeartbeatsOnBothClusters() {
    Command command = LabRun.of("reproduce", "liquid", "events", "--seeds=1");

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .containsPattern("1 x 4 K80 +8 +15 +[0-9.]+ % +")
        .containsPattern("5 x 2 T4 +100 +15 +1[234][0-9.]+ % +");
  }

  @Test
  void sharingIsComparedWithItsBoundAndWithMeasuredSlowdowns() {
    Command command =
        LabRun.of(
            "reproduce",
            "liquid",
            "sharing",
            "--throughputs=" + Command.publicData("gavel/simulation_throughputs.json"));

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .containsPattern("8 x CNN-MNIST +1 x K80 +none +1.000 +49[.0-9]+ %")
        .containsPattern("4 x NeuMF +1 x K80 +implied +0.750 +33.3 %.* 33.3 %")
        .containsPattern("4 x Recommendation .batch size 4096. +1 x K80 +0.564 +11.3 %");
  }

  @Test
  void helpNamesTheExperiments() {
    assertThat(LabRun.of("reproduce", "liquid", "--help").output())
        .contains("sensitivity", "immediate", "lab/liquid-lab/docs/reproduction.md");
  }

  @Test
  void theBatchTableShowsOursBesideThePublishedColumns() {
    Command command = LabRun.of("reproduce", "liquid", "batch", "--seeds=1");

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .contains("8 jobs on 5 nodes", "32 jobs on 20 nodes", "no schedule can save more")
        .containsPattern("gga +Liquid .* 770 +22.5 % +2265 +22.9 %\n");
  }

  @Test
  void theComparisonOfRoundsHasAllFleetsAndAlgorithms() {
    Command command = LabRun.of("reproduce", "hare", "--seeds", "1");

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .contains("15 GPUs, 30 jobs at once", "160 GPUs, 300 jobs, 1.5 s apart")
        .contains("fluid ", "hlas ", "gang-las ", "allox ", "gang-fifo ");
  }

  @Test
  void aComparisonOfRoundsNeedsASeed() {
    Command command = LabRun.of("reproduce", "hare", "--seeds", "0");

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).contains("--seeds must be from 1 to 1000, but was 0");
  }
}
