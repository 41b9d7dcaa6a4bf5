package io.github.liquidscheduler.lab.published;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.lab.published.DataFirst.Outcome;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DataFirstTest {
  private static final ReadingLoad LOAD = ReadingLoad.liquid(.9, 0, 60, 0);
  private static final Prefetching RULES =
      Prefetching.over(Bandwidth.ofGigabitsPerSecond(10)).build();

  @Test
  void gpusIdleLessIfDataIsThereBefore() {
    Outcome without = DataFirst.run(LOAD, Optional.empty());
    Outcome with = DataFirst.run(LOAD, Optional.of(RULES));

    assertThat(without.brought()).isZero();
    assertThat(with.idle()).isLessThan(without.idle());
    assertThat(with.brought()).isPositive();
    assertThat(with.wasted()).isBetween(0.0, with.brought());
  }

  /** Where a disk is full, launches and prefetches have each other's copies go. */
  @Test
  void aCopyThatHasGoneForALateOneIsNotToGoAgain() {
    Outcome with = DataFirst.run(ReadingLoad.liquid(.9, .25, 200, 9), Optional.of(RULES));

    assertThat(with.wasted()).isBetween(0.0, with.brought());
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    assertThat(DataFirst.run(LOAD, Optional.of(RULES)))
        .isEqualTo(DataFirst.run(LOAD, Optional.of(RULES)));
  }
}
