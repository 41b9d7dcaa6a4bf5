package io.github.liquidscheduler.simulator.published;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.simulator.published.DataFirst.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

  @Test
  void transfersShareThePathAndTakeWhatOthersLeave() {
    VirtualPlatform platform = new VirtualPlatform();
    SharedPath path = new SharedPath(platform, 100);
    List<Instant> arrivals = new ArrayList<>();
    path.begin(1000, () -> arrivals.add(platform.instant()));
    path.begin(500, () -> arrivals.add(platform.instant()));

    platform.run();

    assertThat(arrivals).containsExactly(at(10), at(15));
  }

  @Test
  void aTransferThatIsCalledOffLeavesThePath() {
    VirtualPlatform platform = new VirtualPlatform();
    SharedPath path = new SharedPath(platform, 100);
    List<Instant> arrivals = new ArrayList<>();
    SharedPath.Moving first = path.begin(1000, () -> arrivals.add(platform.instant()));
    path.begin(500, () -> arrivals.add(platform.instant()));
    platform.schedule(
        Duration.ofSeconds(4),
        () -> {
          assertThat(path.moved(first)).isEqualTo(200);
          path.cancel(first);
        });

    platform.run();

    assertThat(arrivals).containsExactly(at(7));
  }

  private static Instant at(int second) {
    return Instant.ofEpochSecond(second);
  }
}
