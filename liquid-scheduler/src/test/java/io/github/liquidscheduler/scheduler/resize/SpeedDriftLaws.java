package io.github.liquidscheduler.scheduler.resize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Reports may differ by a fifth from a curve that is measured as 2 iterations per second a task.
 */
class SpeedDriftLaws {

  private static final double MOST = .2;

  private static SpeedDrift measured() {
    return SpeedDrift.from(SpeedCurve.NONE.with(4, 8));
  }

  private static SpeedDrift after(SpeedDrift drift, int size, double factor) {
    return drift.after(size, 2 * size * factor, MOST, tasks -> tasks);
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void noiseWithinTheLimitIsNoDrift(
      @ForAll @Size(max = 50) List<@DoubleRange(min = .84, max = 1.19) Double> noise,
      @ForAll @IntRange(min = 1, max = 16) int size) {
    SpeedDrift drift = measured();

    for (double factor : noise) {
      drift = after(drift, size, factor);
      assertThat(drift.hasDrifted()).isFalse();
    }
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void aChangeBeyondTheLimitIsDriftAtTheThirdReport(
      @ForAll @DoubleRange(min = .01, max = .83) double slower,
      @ForAll boolean isFaster,
      @ForAll @IntRange(min = 1, max = 16) int size) {
    SpeedDrift drift = measured();
    double factor = isFaster ? 1 / slower : slower;

    drift = after(drift, size, factor);
    drift = after(drift, size, factor);
    assertThat(drift.hasDrifted()).isFalse();
    drift = after(drift, size, factor);
    assertThat(drift.hasDrifted()).isTrue();
  }

  /** Between half the limit and the limit nothing changes; below, what was is over. */
  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void itEndsOnlyWellWithinTheLimit(
      @ForAll @Size(max = 20) List<@DoubleRange(min = 1.11, max = 1.19) Double> near,
      @ForAll @DoubleRange(min = .92, max = 1.09) double back) {
    SpeedDrift drift = measured();
    for (int i = 0; i < SpeedDrift.REPORTS; i++) {
      drift = after(drift, 4, 1.5);
      for (double factor : near) {
        drift = after(drift, 4, factor);
      }
    }

    assertThat(drift.hasDrifted()).isTrue();
    drift = after(drift, 4, back);
    assertThat(drift.hasDrifted()).isFalse();
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void whatIsMeasuredAnewIsTheNewCurve(@ForAll @DoubleRange(min = .01, max = .8) double slower) {
    SpeedDrift drift = measured();
    for (int i = 0; i < SpeedDrift.REPORTS; i++) {
      drift = after(drift, 4, slower);
    }
    drift = SpeedDrift.from(SpeedCurve.NONE.with(4, 8 * slower));

    assertThat(drift.hasDrifted()).isFalse();
    drift = after(drift, 8, slower);
    assertThat(drift.measured(8, tasks -> tasks)).isCloseTo(16 * slower, within(1e-9));
  }
}
