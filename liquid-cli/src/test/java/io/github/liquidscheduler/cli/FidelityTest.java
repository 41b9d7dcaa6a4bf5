package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FidelityTest {

  @ParameterizedTest
  @CsvSource({"tiresias, 17", "lucid, 4", "fgd, 4"})
  void everyRunOfASimulatorIsAsPublished(String simulator, int runs) {
    Command command =
        Command.run("fidelity", "--data", Command.publicData(""), "--simulator", simulator);

    assertThat(command.errors()).isEmpty();
    assertThat(command.output())
        .contains("%d of %d runs are as published.".formatted(runs, runs))
        .doesNotContain("  no\n");
    assertThat(command.status()).isZero();
  }

  @Test
  void anUnknownSimulatorIsRefused() {
    assertThat(Command.run("fidelity", "--data", "x", "--simulator", "slurm").errors())
        .contains("--simulator must be tiresias, lucid, gavel, pollux or fgd, but was [slurm]");
  }
}
