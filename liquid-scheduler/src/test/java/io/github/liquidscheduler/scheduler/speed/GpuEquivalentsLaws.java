package io.github.liquidscheduler.scheduler.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class GpuEquivalentsLaws {

  @Property(tries = 300)
  void aTimeIsTheLeastInWhichSoMuchIsAttained(
      @ForAll @IntRange(min = 1, max = 1_000_000) int thousandths,
      @ForAll @LongRange(min = 1, max = 1L << 50) long nanos) {
    GpuEquivalents held = new GpuEquivalents(thousandths);
    Duration wanted = Duration.ofNanos(nanos);

    Duration time = held.timeFor(wanted);

    assertThat(held.attainedIn(time)).isGreaterThanOrEqualTo(wanted);
    assertThat(held.attainedIn(time.minusNanos(1))).isLessThan(wanted);
  }

  @Property(tries = 300)
  void whatIsAttainedInPartsIsWhatIsAttainedButForANanosecond(
      @ForAll @IntRange(min = 0, max = 1_000_000) int thousandths,
      @ForAll @LongRange(min = 0, max = 1L << 50) long first,
      @ForAll @LongRange(min = 0, max = 1L << 50) long second) {
    GpuEquivalents held = new GpuEquivalents(thousandths);

    Duration apart =
        held.attainedIn(Duration.ofNanos(first)).plus(held.attainedIn(Duration.ofNanos(second)));

    assertThat(held.attainedIn(Duration.ofNanos(first + second)))
        .isBetween(apart, apart.plusNanos(1));
  }

  @Example
  void whoeverHoldsNothingNeverAttainsAnything() {
    assertThat(GpuEquivalents.NONE.attainedIn(Duration.ofDays(1))).isZero();
    assertThat(GpuEquivalents.NONE.timeFor(Duration.ofSeconds(1))).isEqualTo(GpuTime.MOST);
    assertThat(new GpuEquivalents(1).timeFor(GpuTime.MOST)).isEqualTo(GpuTime.MOST);
  }

  @Example
  void itIsNeverNegative() {
    assertThatThrownBy(() -> new GpuEquivalents(-1))
        .hasMessageContaining("but were -1 thousandths");
  }
}
