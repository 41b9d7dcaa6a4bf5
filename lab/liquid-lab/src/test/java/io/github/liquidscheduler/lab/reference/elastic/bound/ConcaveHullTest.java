package io.github.liquidscheduler.lab.reference.elastic.bound;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConcaveHullTest {

  @Test
  void cornersBelowTheHullAreLeftOut() {
    ConcaveHull hull =
        ConcaveHull.of(ThroughputCurve.of(Map.of(1, 2.0, 2, 2.2, 4, 5.0, 8, 4.0)), 8);

    assertThat(hull.corners()).isEqualTo(3);
    assertThat(hull.gpus(0)).isZero();
    assertThat(hull.speedup(0)).isZero();
    assertThat(hull.gpus(1)).isEqualTo(1);
    assertThat(hull.gpus(2)).isEqualTo(4);
    assertThat(hull.fastest()).isEqualTo(2.5);
  }

  @Test
  void sizesAboveTheMostDoNotCount() {
    ConcaveHull hull = ConcaveHull.of(ThroughputCurve.of(Map.of(1, 1.0, 2, 1.8, 4, 2.8)), 3);

    assertThat(hull.gpus(hull.corners() - 1)).isEqualTo(3);
    assertThat(hull.fastest()).isEqualTo(2.3);
  }
}
