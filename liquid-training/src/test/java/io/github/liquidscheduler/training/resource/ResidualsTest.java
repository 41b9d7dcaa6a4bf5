package io.github.liquidscheduler.training.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.estimator.task.regression.Calibration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ResidualsTest {

  /** Student's t: 1.860 at 95 % with eight degrees of freedom. */
  @Test
  void fewGroupsSpreadLikeStudentsT() {
    Calibration calibration = calibration(-2, 2, -2, 2, -2, 2, -2, 2);

    assertThat(calibration.high()).isCloseTo(1.860 * 2, within(0.01));
    assertThat(calibration.low()).isCloseTo(-1.860 * 2, within(0.01));
  }

  @Test
  void eitherSideHasADeviationOfItsOwn() {
    Calibration calibration = calibration(-0.1, 1, -0.1, 1, -0.1, 1);

    assertThat(calibration.high()).isGreaterThan(1);
    assertThat(calibration.low()).isBetween(-0.9, -0.1);
  }

  @Test
  void aSideThatNobodyErredOnIsNotTakenForCertain() {
    assertThat(calibration(1, 1, 1, 1).low()).isLessThan(-0.3);
  }

  @Test
  void aGroupCountsOnceHoweverManyRowsItHas() {
    Residuals many =
        new Residuals(new double[] {1, 1, 1, 1, 3, -3}, List.of("a", "a", "a", "a", "b", "c"));

    Calibration once = calibration(1, 3, -3);
    assertThat(many.calibration(0).high()).isCloseTo(once.high(), within(1e-9));
  }

  @Test
  void manyGroupsGiveTheirQuantiles() {
    Calibration calibration =
        calibration(IntStream.rangeClosed(-50, 50).mapToDouble(i -> i).toArray());

    assertThat(calibration.high()).isBetween(45.0, 47.0);
    assertThat(calibration.low()).isBetween(-47.0, -45.0);
  }

  /** Whether a twelfth group is covered by eleven others: about nine times in ten. */
  @Test
  void intervalsOfFewGroupsHoldANewGroup() {
    Random random = new Random(1);
    int covered = 0;
    int tries = 2000;
    for (int i = 0; i < tries; i++) {
      double[] drawn = IntStream.range(0, 12).mapToDouble(j -> random.nextGaussian()).toArray();
      Calibration calibration = calibration(Arrays.copyOf(drawn, 11));
      covered += calibration.low() <= drawn[11] && drawn[11] <= calibration.high() ? 1 : 0;
    }

    assertThat((double) covered / tries).isBetween(0.86, 0.94);
  }

  private static Calibration calibration(double... residuals) {
    List<String> groups = IntStream.range(0, residuals.length).mapToObj(Integer::toString).toList();
    return new Residuals(residuals, groups).calibration(0);
  }
}
