package io.github.liquidscheduler.scheduler.resize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.scheduling.SnapshotSection;
import org.junit.jupiter.api.Test;

class MeasuredPausesTest {

  @Test
  void pausesAreAsExpectedUntilSomebodyHasMeasuredOne() {
    assertThat(MeasuredPauses.NONE.ratio()).isEqualTo(1);
    assertThat(MeasuredPauses.NONE.with(3, 0).ratio()).isEqualTo(1);
  }

  @Test
  void whatIsLongAgoCountsLess() {
    MeasuredPauses once = MeasuredPauses.NONE.with(10, 1);
    MeasuredPauses often = once;
    for (int i = 0; i < 100; i++) {
      often = often.with(2, 1);
    }

    assertThat(once.ratio()).isEqualTo(10);
    assertThat(once.with(2, 1).ratio()).isEqualTo((9 + 2) / 1.9, within(1e-12));
    assertThat(often.ratio()).isEqualTo(2, within(1e-3));
  }

  @Test
  void whatIsSavedIsLoaded() {
    MeasuredPauses pauses = MeasuredPauses.NONE.with(10, 4).with(3, 2);
    SnapshotSection.Builder section = SnapshotSection.builder();
    pauses.save(section);

    assertThat(section.build().<MeasuredPauses>read(MeasuredPauses::load)).isEqualTo(pauses);
  }

  @Test
  void sumsAreNeverNegativeAndFinite() {
    assertThatThrownBy(() -> new MeasuredPauses(-1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1.0");
    assertThatThrownBy(() -> new MeasuredPauses(1, Double.POSITIVE_INFINITY))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MeasuredPauses(Double.NaN, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
