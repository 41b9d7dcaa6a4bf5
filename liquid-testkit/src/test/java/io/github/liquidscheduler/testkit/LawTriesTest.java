package io.github.liquidscheduler.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LawTriesTest {

  @Test
  void triesAreMultipliedAndLimited() {
    assertThat(LawTries.tries(300, 1, 100)).isEqualTo(100);
    assertThat(LawTries.tries(60, 1, 100)).isEqualTo(60);
    assertThat(LawTries.tries(300, 10, Integer.MAX_VALUE)).isEqualTo(3000);
    assertThat(LawTries.tries(Integer.MAX_VALUE, 2, Integer.MAX_VALUE))
        .isEqualTo(Integer.MAX_VALUE);
  }
}
