package io.github.liquidscheduler.scheduler.speed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;

class PaceLaws {

  @Property
  void theLeastTimeHereIsJustEnoughOnGpusOfMeanSpeed(
      @ForAll @LongRange(min = 0, max = 1_000_000_000_000_000_000L) long nanos,
      @ForAll @DoubleRange(min = 0.02, max = 50) double fleetSpeed) {
    Pace pace = new Pace(1, 1, 1, fleetSpeed);
    Duration time = Duration.ofNanos(nanos);

    Duration least = pace.leastOnItsGpus(time);

    assertThat(pace.onMeanGpus(least)).isGreaterThanOrEqualTo(time);
    if (!least.isZero()) {
      assertThat(pace.onMeanGpus(least.minusNanos(1))).isLessThan(time);
    }
  }

  @Example
  void whoHasWhatItPrefersTakesTheTimeThatItTakes() {
    Duration hour = Duration.ofHours(1);

    assertThat(Pace.PREFERRED.atPreferredSize(hour)).isEqualTo(hour);
    assertThat(Pace.PREFERRED.atItsSize(hour)).isEqualTo(hour);
    assertThat(Pace.PREFERRED.onMeanGpus(hour)).isEqualTo(hour);
    assertThat(Pace.PREFERRED.leastOnItsGpus(hour)).isEqualTo(hour);
  }

  @Example
  void twiceTheTasksOnGpusOfHalfTheSpeedTakeTheSameTime() {
    Pace pace = new Pace(8, 4, 0.5, 0.8);
    Duration hour = Duration.ofHours(1);

    assertThat(pace.atPreferredSize(hour)).isEqualTo(hour);
    assertThat(pace.atItsSize(hour)).isEqualTo(hour);
    assertThat(pace.onFastestGpus(hour)).isEqualTo(Duration.ofMinutes(30));
    assertThat(pace.onItsGpus(hour)).isEqualTo(Duration.ofHours(2));
    assertThat(pace.onMeanGpus(hour)).isEqualTo(Duration.ofMinutes(48));
  }

  @Example
  void halfTheTasksTakeTwiceTheTime() {
    Pace pace = new Pace(2, 4, 1, 1);
    Duration hour = Duration.ofHours(1);

    assertThat(pace.atItsSize(hour)).isEqualTo(Duration.ofHours(2));
    assertThat(pace.atPreferredSize(hour)).isEqualTo(Duration.ofMinutes(30));
  }

  @Example
  void whatTakesForEverDoesSoOnSlowGpusToo() {
    Pace slow = new Pace(1, 1, 0.5, 0.5);

    assertThat(slow.leastOnItsGpus(GpuTime.MOST)).isEqualTo(GpuTime.MOST);
    assertThat(slow.onItsGpus(GpuTime.MOST)).isEqualTo(GpuTime.MOST);
  }
}
