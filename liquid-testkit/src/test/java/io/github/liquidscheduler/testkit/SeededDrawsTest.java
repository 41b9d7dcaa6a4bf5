package io.github.liquidscheduler.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeededDrawsTest {

  @Test
  void oneTextGivesAPropertyOneSeed() {
    assertThat(SeededDraws.seed("text", "Laws.nobodyStarves"))
        .isEqualTo(SeededDraws.seed("text", "Laws.nobodyStarves"))
        .isNotEqualTo(SeededDraws.seed("text", "Laws.everybodyStarts"))
        .isNotEqualTo(SeededDraws.seed("another text", "Laws.nobodyStarves"));
  }

  @Test
  void aSeedIsANumber() {
    assertThat(Long.parseLong(SeededDraws.seed("", "Laws.nobodyStarves"))).isNotZero();
  }
}
