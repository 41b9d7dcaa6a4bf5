package io.github.liquidscheduler.lab.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.lab.LabRun;
import org.junit.jupiter.api.Test;

class ReproducePolluxTest {

  @Test
  void theTableShowsOursBesideTheirs() {
    Command command =
        LabRun.of("reproduce", "pollux", "--data", Command.publicData("pollux"), "--workload", "3");

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .contains("3876.256   3876.256  +0.00  3944.006   3944.006  +0.00")
        .endsWith("Ours is at or below Pollux on 1 of 1 workload.\n");
  }

  @Test
  void theJsonHasAllFigures() {
    Command command =
        LabRun.of(
            "reproduce",
            "pollux",
            "--json",
            "--workload=3",
            "--data=" + Command.publicData("pollux"));

    assertThat(command.output())
        .contains("\"policy\" : \"optimus\"", "\"original_policy\" : \"pollux\"");
    assertThat(command.figure("original_avg_jct")).isEqualTo(3876.256);
    assertThat(command.figure("avg_jct")).isEqualTo(3876.25625);
  }

  @Test
  void aWorkloadThatWasNotPublishedIsRefused() {
    Command command = LabRun.of("reproduce", "pollux", "--data", "x", "--workload", "9");

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).contains("--workload must be from 1 to 8, but was [9]");
  }

  @Test
  void aFolderWithoutTracesIsNamed() {
    Command command = LabRun.of("reproduce", "pollux", "--data", "nowhere");

    assertThat(command.status()).isNotZero();
    assertThat(command.errors()).contains("nowhere");
  }
}
