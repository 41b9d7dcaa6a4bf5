package io.github.liquidscheduler.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TraceFormatTest {

  @Test
  void formatsAreFoundByName() {
    assertThat(TraceFormat.names()).startsWith("csv", "tiresias", "gavel").doesNotHaveDuplicates();
    assertThat(TraceFormat.named("philly")).isEqualTo(TraceFormat.PHILLY);
  }

  @Test
  void anUnknownFormatIsAnsweredWithAllNames() {
    assertThatThrownBy(() -> TraceFormat.named("Slurm"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a trace format must be one of csv, tiresias, gavel, shockwave, philly-json, philly,"
                + " helios, acme, alibaba-2020, alibaba-2023, pollux, muri, sacct, swf, kubernetes,"
                + " but was 'Slurm'");
  }
}
