package io.github.liquidscheduler.lab.fidelity;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.lab.LabRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FidelityTest {

  @ParameterizedTest
  @CsvSource({"tiresias, 17", "lucid, 4", "fgd, 4"})
  void everyRunOfASimulatorIsAsPublished(String simulator, int runs) {
    Command command =
        LabRun.of("fidelity", "--data", Command.publicData(""), "--simulator", simulator);

    assertThat(command.errors()).isEmpty();
    assertThat(command.output())
        .contains("%d of %d runs are as published.".formatted(runs, runs))
        .doesNotContain("  no\n");
    assertThat(command.status()).isZero();
  }

  @Test
  void anUnknownSimulatorIsRefused() {
    assertThat(LabRun.of("fidelity", "--data", "x", "--simulator", "slurm").errors())
        .contains("--simulator must be tiresias, lucid, gavel, pollux or fgd, but was [slurm]");
  }
}
