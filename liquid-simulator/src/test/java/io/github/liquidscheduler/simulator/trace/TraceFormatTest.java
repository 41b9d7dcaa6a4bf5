package io.github.liquidscheduler.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TraceFormatTest {

  @Test
  void formatsAreFoundByName() {
    assertThat(TraceFormat.names()).containsExactly("tiresias", "gavel", "philly");
    assertThat(TraceFormat.named("philly")).isEqualTo(TraceFormat.PHILLY);
  }

  @Test
  void anUnknownFormatIsAnsweredWithAllNames() {
    assertThatThrownBy(() -> TraceFormat.named("Slurm"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a trace format must be one of tiresias, gavel, philly, but was 'Slurm'");
  }
}
