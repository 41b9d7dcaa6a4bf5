package io.github.liquidscheduler.scheduler.resize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SpeedCurveTest {

  private static final Offset<Double> EXACT = within(1e-12);

  private static SpeedCurve curve(double... sizesAndSpeeds) {
    SpeedCurve curve = SpeedCurve.NONE;
    for (int i = 0; i < sizesAndSpeeds.length; i += 2) {
      curve = curve.with((int) sizesAndSpeeds[i], sizesAndSpeeds[i + 1]);
    }
    return curve;
  }

  private static double linear(int size) {
    return size;
  }

  @Test
  void withoutAnyPointItIsWhatIsExpected() {
    assertThat(SpeedCurve.NONE.at(4, size -> 3 * size)).isEqualTo(12);
  }

  @Test
  void whatWasSeenLastHolds() {
    assertThat(curve(4, 9, 4, 10).at(4, SpeedCurveTest::linear)).isEqualTo(10);
  }

  @Test
  void fromOnePointOthersGoAsExpected() {
    assertThat(curve(2, 10).at(6, SpeedCurveTest::linear)).isEqualTo(30, EXACT);
    assertThat(curve(2, 10).at(1, Math::sqrt)).isEqualTo(10 / Math.sqrt(2), EXACT);
  }

  @Test
  void betweenPointsAPowerOfTheSizeGoesThroughBoth() {
    // Twice as fast with four times the tasks.
    SpeedCurve curve = curve(1, 5, 4, 10);

    assertThat(curve.at(2, SpeedCurveTest::linear)).isEqualTo(5 * Math.sqrt(2), EXACT);
  }

  @Test
  void beyondThePointsTheTrendOfTheNearestTwoGoesOn() {
    SpeedCurve curve = curve(1, 1, 4, 10, 16, 20);

    assertThat(curve.at(64, SpeedCurveTest::linear)).isEqualTo(40, within(1e-9));
    assertThat(curve(4, 10, 16, 20).at(1, SpeedCurveTest::linear)).isEqualTo(5, within(1e-9));
  }

  @Test
  void aCurveWithAnotherPointLeavesTheOneBeforeAsItWas() {
    SpeedCurve curve = curve(1, 5);
    SpeedCurve more = curve.with(2, 7);

    assertThat(curve.sizesSeen()).isEqualTo(1);
    assertThat(more.sizesSeen()).isEqualTo(2);
  }

  @Test
  void whatIsSavedIsLoaded() {
    SnapshotSection.Builder section = SnapshotSection.builder();
    curve(1, 5, 4, 0.1).save("speeds", section);

    List<Map.Entry<Integer, Double>> points =
        section.build().read(in -> in.texts("speeds", SpeedCurve::point));
    assertThat(points).containsExactly(Map.entry(1, 5.0), Map.entry(4, 0.1));
    assertThat(SpeedCurve.load(points).at(4, SpeedCurveTest::linear)).isEqualTo(0.1);
  }

  @Test
  void whatIsNoPointIsRefused() {
    for (String text : List.of("4", "=1", "0=1", "4=0", "4=NaN", "4=Infinity", "x=1", "4=-1")) {
      assertThatThrownBy(() -> SpeedCurve.point(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
