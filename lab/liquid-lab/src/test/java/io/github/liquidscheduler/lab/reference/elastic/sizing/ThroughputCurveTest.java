package io.github.liquidscheduler.lab.reference.elastic.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThroughputCurveTest {

  private static final ThroughputCurve CURVE =
      ThroughputCurve.of(Map.of(1, 2.0, 2, 3.0, 4, 5.0, 8, 5.0));

  @Test
  void isStraightBetweenMeasuredPoints() {
    assertThat(CURVE.throughput(3)).isEqualTo(4);
    assertThat(CURVE.speedup(3)).isEqualTo(2);
    assertThat(CURVE.slope(2)).isEqualTo(0.5);
    assertThat(CURVE.slope(3)).isEqualTo(CURVE.slope(2));
    assertThat(CURVE.slope(8)).isZero();
  }

  @Test
  void peaksAtTheFewestGpusWithTheHighestThroughput() {
    assertThat(CURVE.peak()).isEqualTo(4);
    assertThat(CURVE.largest()).isEqualTo(8);
  }

  @Test
  void roundsUpToMeasuredSizes() {
    assertThat(CURVE.measuredFrom(3)).isEqualTo(4);
    assertThat(CURVE.measuredFrom(9)).isEqualTo(8);
  }

  @Test
  void needsAPointAtOneGpu() {
    assertThatThrownBy(() -> ThroughputCurve.of(Map.of(2, 3.0)))
        .hasMessage("a throughput curve must have a point at 1 GPU, but had points at [2]");
    assertThatThrownBy(() -> ThroughputCurve.of(Map.of(1, 0.0))).hasMessageContaining("above 0");
  }

  @Test
  void aSpreadGivesEachGpuToTheLargestGainAndOfEqualOnesToTheFirst() {
    SizeBounds bounds = SizeBounds.of(1, 4);
    List<SpeedupGain> jobs =
        List.of(new SpeedupGain(CURVE, bounds), new SpeedupGain(CURVE, bounds));
    int[] sizes = {0, 0};

    assertThat(GainSpread.spread(jobs, sizes, 4, 0)).isZero();
    assertThat(sizes).containsExactly(3, 1);
    assertThat(GainSpread.spread(jobs, sizes, 9, 0.5)).isEqualTo(9);
    assertThat(GainSpread.spread(jobs, sizes, 9, 0)).isEqualTo(5);
    assertThat(sizes).containsExactly(4, 4);
  }

  @Test
  void theShorterJobWinsUnlessTheLongerGainsMoreThanTheShorterLoses() {
    ThroughputCurve flat = ThroughputCurve.of(Map.of(1, 2.0, 2, 2.2));
    AfsCandidate shortJob = new AfsCandidate(flat, 10, 0);
    AfsCandidate longJob = new AfsCandidate(CURVE, 100, 0);

    assertThat(shortJob.yieldsTo(longJob)).isFalse();
    assertThat(longJob.yieldsTo(shortJob)).isTrue();
    assertThat(shortJob.grown().yieldsTo(longJob)).isTrue();
    assertThat(longJob.yieldsTo(shortJob.grown())).isFalse();
  }
}
