package io.github.liquidscheduler.scheduler.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.scheduler.order.VictimOption.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which victim goes first, by example. */
class VictimOrderTest {

  private static final Instant START = Instant.EPOCH;

  private static VictimOption stops(
      TakingRight right, long rank, Duration unsaved, int gpus, long startedAt, long sequence) {
    return new VictimOption(
        right,
        rank,
        Action.STOP,
        VictimOption.gpuTime(unsaved, 1000 * gpus),
        VictimOption.excess(gpus, 1),
        START.plusSeconds(startedAt),
        sequence);
  }

  private static VictimOption first(VictimOption... victims) {
    return Collections.min(Arrays.asList(victims), VictimOrder.BY_RIGHT_AND_HARM);
  }

  /** A gang of 15 GPUs has run for ten hours, a job of one GPU for a minute, both equal in rank. */
  @Test
  void theSmallJobGoesAndNotTheLargeGangWhicheverCameFirst() {
    for (long older : List.of(0L, 2L)) {
      VictimOption gang =
          stops(TakingRight.LOWER_RANK, 0, Duration.ofHours(10), 15, 36_000 * older, 1);
      VictimOption small =
          stops(TakingRight.LOWER_RANK, 0, Duration.ofMinutes(1), 1, 36_000, older);

      assertThat(first(gang, small)).isEqualTo(small);
    }
  }

  @Test
  void rightComesBeforeHarm() {
    VictimOption opportunistic = stops(TakingRight.OPPORTUNISTIC, 0, Duration.ofHours(9), 8, 0, 0);
    VictimOption surplus =
        new VictimOption(TakingRight.SURPLUS, 0, Action.SHRINK, Duration.ofHours(1), 0, START, 1);
    VictimOption borrowed = stops(TakingRight.BORROWED, 0, Duration.ofMinutes(9), 1, 0, 2);
    VictimOption lower = stops(TakingRight.LOWER_RANK, 9, Duration.ZERO, 1, 0, 3);

    List<VictimOption> order =
        Arrays.asList(lower, borrowed, surplus, opportunistic).stream()
            .sorted(VictimOrder.BY_RIGHT_AND_HARM)
            .toList();
    assertThat(order).containsExactly(opportunistic, surplus, borrowed, lower);
  }

  @Test
  void theLowestRankGoesFirstAmongThoseThatGiveWayForTheirRankOnly() {
    Duration hour = Duration.ofHours(1);
    VictimOption least = stops(TakingRight.LOWER_RANK, 9, hour, 8, 0, 0);
    VictimOption lower = stops(TakingRight.LOWER_RANK, 5, Duration.ZERO, 1, 0, 1);
    VictimOption ofLowRank = stops(TakingRight.BORROWED, 9, hour, 8, 0, 2);
    VictimOption ofHighRank = stops(TakingRight.BORROWED, 5, Duration.ZERO, 1, 0, 3);

    assertThat(first(lower, least)).isEqualTo(least);
    assertThat(first(ofLowRank, ofHighRank)).isEqualTo(ofHighRank);
  }

  @Test
  void atEqualHarmAJobShrinksBeforeOneMovesAndMovesBeforeOneStops() {
    Duration harm = Duration.ofMinutes(1);
    VictimOption stops = new VictimOption(TakingRight.BORROWED, 0, Action.STOP, harm, 0, START, 3);
    VictimOption moves = new VictimOption(TakingRight.BORROWED, 0, Action.MOVE, harm, 5, START, 2);
    VictimOption shrinks =
        new VictimOption(TakingRight.BORROWED, 0, Action.SHRINK, harm, 9, START, 1);
    VictimOption cheap =
        new VictimOption(TakingRight.BORROWED, 0, Action.STOP, harm.minusNanos(1), 9, START, 0);

    assertThat(first(stops, moves, shrinks)).isEqualTo(shrinks);
    assertThat(first(stops, moves)).isEqualTo(moves);
    assertThat(first(shrinks, cheap)).isEqualTo(cheap);
  }

  @Test
  void thenTheLeastBeyondTheNeedGoesThenTheLatestStart() {
    VictimOption large = stops(TakingRight.BORROWED, 0, Duration.ZERO, 4, 50, 0);
    VictimOption early = stops(TakingRight.BORROWED, 0, Duration.ZERO, 2, 10, 9);
    VictimOption late = stops(TakingRight.BORROWED, 0, Duration.ZERO, 2, 20, 1);

    assertThat(first(large, early)).isEqualTo(early);
    assertThat(first(early, late)).isEqualTo(late);
  }

  @Test
  void harmIsTheGpuTimeThatIsLost() {
    assertThat(VictimOption.gpuTime(Duration.ofSeconds(10), 2500))
        .isEqualTo(Duration.ofSeconds(25));
    assertThat(VictimOption.gpuTime(Duration.ofSeconds(Long.MAX_VALUE), 16_000))
        .isGreaterThan(Duration.ofDays(1_000_000));
    assertThat(VictimOption.excess(3, 8)).isZero();
    assertThat(VictimOption.excess(8, 3)).isEqualTo(5);
  }
}
