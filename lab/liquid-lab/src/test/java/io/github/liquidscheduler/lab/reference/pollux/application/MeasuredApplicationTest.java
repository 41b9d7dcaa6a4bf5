package io.github.liquidscheduler.lab.reference.pollux.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MeasuredApplicationTest {

  private final MeasuredApplication application = TestApplications.elastic();

  @Test
  void stepTimesAreLinearBetweenBatchSizes() {
    assertThat(application.stepTime(GpuLayout.of(2), 11).step()).isCloseTo(1.2, within(1e-12));
  }

  @Test
  void whichNodeComesFirstDoesNotMatter() {
    assertThat(GpuLayout.of(3, 1, 2).canonical()).isEqualTo("123");
    assertThat(GpuLayout.packed(9, 4)).isEqualTo(GpuLayout.of(4, 4, 1));
  }

  @Test
  void aLayoutOutsideTheMeasurementsHasNoTime() {
    assertThatThrownBy(() -> application.stepTime(GpuLayout.of(4, 4, 4), 11))
        .hasMessageContaining("must be within what was measured, but were 3, 12 and 11");
  }

  @Test
  void iterationsAreLinearBetweenBatchSizes() {
    assertThat(application.iterationsLeft(15, 0)).isCloseTo(75, within(1e-12));
    assertThat(application.iterationsLeft(15, 1)).isEqualTo(1);
  }

  @Test
  void aLargeBatchIsAccumulated() {
    BatchLimits limits = new BatchLimits(10, 1000, 2, 16);

    assertThat(limits.divided(100, 4)).isEqualTo(new LocalBatch(13, 1));
    assertThat(limits.divided(32, 4)).isEqualTo(new LocalBatch(8, 0));
  }

  @Test
  void oneGpuAccumulatesAboveTheInitialBatch() {
    assertThat(new BatchLimits(10, 1000, 2, 16).divided(12, 1)).isEqualTo(new LocalBatch(6, 1));
  }

  @Test
  void aLargerBatchIsWorthLessPerSample() {
    GradientNoise noise = new GradientNoise(1, 3);

    assertThat(noise.gain(1)).isEqualTo(1);
    assertThat(noise.gain(3)).isEqualTo(2);
  }
}
