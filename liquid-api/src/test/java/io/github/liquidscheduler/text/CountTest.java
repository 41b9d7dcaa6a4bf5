package io.github.liquidscheduler.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountTest {

  @Test
  void onlyOneThingIsNamedInTheSingular() {
    assertThat(Count.of(0, "job")).isEqualTo("0 jobs");
    assertThat(Count.of(1, "GPU")).isEqualTo("1 GPU");
    assertThat(Count.of(2, "GPU")).isEqualTo("2 GPUs");
  }
}
