package io.github.liquidscheduler.prediction;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class LearnedStateTest {

  @Test
  void whatWasLearnedHasFiniteNumbers() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LearnedState("residual", List.of(), List.of(Double.NaN)))
        .withMessage(
            "a learned state must have a kind and finite numbers, but was 'residual' with [NaN]");
  }
}
