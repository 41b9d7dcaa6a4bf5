package io.github.liquidscheduler.simulator.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MeanIntervalTest {

  @Test
  void theHalfWidthIsThatOfStudentsDistribution() {
    MeanInterval interval = MeanInterval.of(1, 2, 3);

    assertThat(interval.mean()).isEqualTo(2);
    // t(.975, 2) is 4.302653 in the tables; the deviation is 1.
    assertThat(interval.halfWidth()).isCloseTo(4.302653 / Math.sqrt(3), within(1e-6));
  }

  @Test
  void oneValueSaysNothingOfTheNext() {
    assertThat(MeanInterval.of(7)).isEqualTo(new MeanInterval(7, Double.POSITIVE_INFINITY));
  }

  @Test
  void aRatioIsThatOfTheMeansAndNotTheMeanOfTheRatios() {
    MeanInterval relative = MeanInterval.relative(new double[] {10, 90}, new double[] {20, 100});

    assertThat(relative.mean()).isCloseTo(100.0 / 120 - 1, within(1e-12));
  }

  @Test
  void whatMakesBothLargerDoesNotWidenTheIntervalOfARatio() {
    MeanInterval half =
        MeanInterval.relative(new double[] {5, 50, 500}, new double[] {10, 100, 1000});

    assertThat(half.mean()).isEqualTo(-0.5);
    assertThat(half.halfWidth()).isZero();
    assertThat(half.containsZero()).isFalse();
  }

  @Test
  void differencesThatContradictEachOtherLeaveZeroInside() {
    assertThat(
            MeanInterval.relative(new double[] {9, 11, 10}, new double[] {10, 10, 10})
                .containsZero())
        .isTrue();
  }

  @Test
  void valuesThatAreNotPairedAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MeanInterval.relative(new double[] {1}, new double[] {1, 2}))
        .withMessage("paired values must be as many as the others, but were 1 and 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MeanInterval.relative(new double[] {1}, new double[] {0}))
        .withMessage("a ratio needs others that are not zero on average");
  }
}
