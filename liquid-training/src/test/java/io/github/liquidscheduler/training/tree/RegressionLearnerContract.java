package io.github.liquidscheduler.training.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every learner keeps. */
class RegressionLearnerContract {

  static Stream<RegressionLearner> learners() {
    return Stream.of(
        RegressionLearner.mean(),
        new RidgeLearner(1),
        TreeLearner.single(6, 2),
        TreeLearner.forest(30, 8, 2),
        TreeLearner.boosted(60, 3, 0.1));
  }

  @ParameterizedTest
  @MethodSource("learners")
  void theSameSeedLearnsTheSame(RegressionLearner learner) {
    Examples examples = line(200, 0.1);
    float[] row = {0.3f, 0.5f, 1};

    assertThat(learner.fit(examples, 7).predict(row))
        .isEqualTo(learner.fit(examples, 7).predict(row));
  }

  @ParameterizedTest
  @MethodSource("learners")
  void aLineIsLearnedBetterThanByItsMean(RegressionLearner learner) {
    Examples examples = line(400, 0.01);
    Regression mean = RegressionLearner.mean().fit(examples, 1);

    assertThat(error(learner.fit(examples, 1), examples))
        .isLessThanOrEqualTo(error(mean, examples) * (learner.name().equals("mean") ? 1 : 0.4));
  }

  @ParameterizedTest
  @MethodSource("learners")
  void whatNeverChangesIsNoObstacle(RegressionLearner learner) {
    Examples same = new Examples(new float[][] {{1, 0}, {1, 0}, {1, 0}}, new float[] {5, 5, 5});

    assertThat(learner.fit(same, 1).predict(new float[] {2, 3})).isEqualTo(5);
  }

  @ParameterizedTest
  @MethodSource("learners")
  void oneExampleIsEnough(RegressionLearner learner) {
    Examples single = new Examples(new float[][] {{1, 2}}, new float[] {3});

    assertThat(learner.fit(single, 1).predict(new float[] {1, 2})).isEqualTo(3);
  }

  @Test
  void whatMustFallNeverRises() {
    Examples rising = line(400, 0.3);
    Regression regression = TreeLearner.boosted(60, 3, 0.1).falling(Set.of(0), 3).fit(rising, 1);
    for (float other = 0; other <= 1; other += 0.1f) {
      float before = Float.MAX_VALUE;
      for (float value = 0; value <= 1; value += 0.01f) {
        float now = regression.predict(new float[] {value, other, 1});
        assertThat(now).isLessThanOrEqualTo(before);
        before = now;
      }
    }
  }

  @Test
  void aNumberThatIsNotOneIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Examples(new float[][] {{Float.NaN}}, new float[] {1}))
        .withMessageContaining("row 0");
  }

  @Test
  void rowsOfDifferentWidthAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Examples(new float[][] {{1, 2}, {1}}, new float[] {1, 2}))
        .withMessageContaining("row 1");
  }

  private static Examples line(int count, double noise) {
    SplittableRandom random = new SplittableRandom(3);
    float[][] rows = new float[count][];
    float[] labels = new float[count];
    for (int i = 0; i < count; i++) {
      rows[i] = new float[] {(float) random.nextDouble(), (float) random.nextDouble(), 1};
      labels[i] = (float) (3 * rows[i][0] - rows[i][1] + noise * random.nextGaussian());
    }
    return new Examples(rows, labels);
  }

  private static double error(Regression regression, Examples examples) {
    double sum = 0;
    for (int i = 0; i < examples.size(); i++) {
      sum += Math.abs(regression.predict(examples.rows()[i]) - examples.labels()[i]);
    }
    return sum / examples.size();
  }
}
