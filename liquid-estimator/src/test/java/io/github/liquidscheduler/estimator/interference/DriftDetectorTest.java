package io.github.liquidscheduler.estimator.interference;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class DriftDetectorTest {
  private static final double PROMISED = 0.1;
  private static final double DEVIATION = PROMISED / 1.645;

  /** Errors of which nine in ten are within what was promised: no alarm in 500 streams of 200. */
  @Test
  void errorsAsPromisedRaiseNoAlarm() {
    for (int stream = 0; stream < 500; stream++) {
      DriftDetector detector = DriftDetector.NONE;
      Random random = new Random(stream);
      for (int i = 0; i < 200; i++) {
        detector = detector.plus(DEVIATION * random.nextGaussian(), PROMISED);
        assertThat(detector.isDrifting()).isFalse();
      }
    }
  }

  @Test
  void aShiftOfTwoDeviationsIsNoticedWithinThirtyErrors() {
    for (int stream = 0; stream < 200; stream++) {
      DriftDetector detector = DriftDetector.NONE;
      Random random = new Random(stream);
      for (int i = 0; i < 30; i++) {
        detector = detector.plus(DEVIATION * (random.nextGaussian() - 2), PROMISED);
      }
      assertThat(detector.isDrifting()).isTrue();
      assertThat(detector.widening()).isGreaterThan(1);
    }
  }

  @Test
  void aSingleWildErrorRaisesNoAlarm() {
    assertThat(DriftDetector.NONE.plus(100, PROMISED).isDrifting()).isFalse();
  }

  @Test
  void errorsTwiceAsLargeOnBothSidesAreNoticed() {
    DriftDetector detector = DriftDetector.NONE;
    for (int i = 0; i < 64; i++) {
      detector = detector.plus(i % 2 == 0 ? 2 * PROMISED : -2 * PROMISED, PROMISED);
    }
    assertThat(detector.isDrifting()).isTrue();
  }

  @Test
  void theAlarmEndsSomeTimeAfterTheShift() {
    DriftDetector detector = DriftDetector.NONE;
    for (int i = 0; i < 100; i++) {
      detector = detector.plus(-3 * DEVIATION, PROMISED);
    }
    for (int i = 0; i < 64; i++) {
      detector = detector.plus(0, PROMISED);
    }
    assertThat(detector.isDrifting()).isFalse();
  }

  @Property(tries = 100)
  void whatWasSavedIsRestored(@ForAll long seed) {
    DriftDetector detector = DriftDetector.NONE;
    Random random = new Random(seed);
    int count = 1 + random.nextInt(150);
    for (int i = 0; i < count; i++) {
      detector = detector.plus(random.nextGaussian() - 0.5, PROMISED);
    }
    GpuModel gpu = GpuModel.of("V100");

    DriftDetector restored = DriftDetector.restored(detector.save(gpu).getFirst());

    assertThat(restored.save(gpu)).isEqualTo(detector.save(gpu));
    assertThat(restored.isDrifting()).isEqualTo(detector.isDrifting());
    assertThat(restored.widening()).isEqualTo(detector.widening());
  }
}
