package io.github.liquidscheduler.lab.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.lab.LabRun;
import org.junit.jupiter.api.Test;

class ReproduceHareTest {

  @Test
  void theComparisonHasAllFleetsAndAlgorithms() {
    Command command = LabRun.of("reproduce", "hare", "--seeds", "1");

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .contains("15 GPUs, 30 jobs at once", "160 GPUs, 300 jobs, 1.5 s apart")
        .contains("fluid ", "hlas ", "gang-las ", "allox ", "gang-fifo ");
  }

  @Test
  void aComparisonNeedsASeed() {
    Command command = LabRun.of("reproduce", "hare", "--seeds", "0");

    assertThat(command.status()).isEqualTo(2);
    assertThat(command.errors()).contains("--seeds must be from 1 to 1000, but was 0");
  }
}
