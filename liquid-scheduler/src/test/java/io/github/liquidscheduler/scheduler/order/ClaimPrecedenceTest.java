package io.github.liquidscheduler.scheduler.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which claims stand, by example. Cells are GPUs of which one claim takes all. */
class ClaimPrecedenceTest {

  private static final Instant START = Instant.EPOCH;

  private static NavigableMap<Integer, Long> gpu(int cell) {
    return new TreeMap<>(Collections.singletonMap(cell, 1000L));
  }

  private static CapacityClaim claim(
      String name, ClaimKind kind, long turn, long from, long until, int cell) {
    return new CapacityClaim(
        name, kind, turn, START.plusSeconds(from), START.plusSeconds(until), gpu(cell));
  }

  private static ClaimPrecedence decide(CapacityClaim... claims) {
    return ClaimPrecedence.of(Arrays.asList(claims), cell -> 1000);
  }

  @Test
  void ofTwoThatOverlapTheEarlierKindStandsInTheStatedOrder() {
    List<CapacityClaim> claims = new ArrayList<>();
    for (ClaimKind kind : ClaimKind.values()) {
      claims.add(claim(kind.name(), kind, 9 - place(kind), 0, 10, 0));
    }

    for (int first = 0; first < claims.size(); first++) {
      List<CapacityClaim> rest = new ArrayList<>(claims.subList(first, claims.size()));
      Collections.reverse(rest);
      assertThat(ClaimPrecedence.of(rest, cell -> 1000).standing())
          .containsExactly(claims.get(first));
    }
    assertThat(Arrays.stream(ClaimKind.values()).map(ClaimKind::name))
        .containsExactly(
            "LOSS_OR_MAINTENANCE",
            "ADVANCE_RESERVATION",
            "DEADLINE_PROMISE",
            "RESTART",
            "RESERVATION_WITHIN_SHARE",
            "PLANNED_PLACE",
            "RESERVATION_BEYOND_SHARE");
  }

  @Test
  void equalKindsGoByTurn() {
    CapacityClaim second = claim("a", ClaimKind.RESERVATION_WITHIN_SHARE, 2, 0, 10, 0);
    CapacityClaim first = claim("b", ClaimKind.RESERVATION_WITHIN_SHARE, 1, 5, 15, 0);

    assertThat(decide(second, first).standing()).containsExactly(first);
    assertThat(decide(second, first).displaced()).containsEntry(second, first);
  }

  @Test
  void claimsOfOtherCellsOrIntervalsAllStand() {
    CapacityClaim one = claim("a", ClaimKind.PLANNED_PLACE, 1, 0, 10, 0);
    CapacityClaim later = claim("b", ClaimKind.PLANNED_PLACE, 2, 10, 20, 0);
    CapacityClaim beside = claim("c", ClaimKind.PLANNED_PLACE, 3, 0, 20, 1);

    assertThat(decide(beside, later, one).standing()).containsExactly(one, later, beside);
  }

  @Test
  void theNameOfTheWinnerIsKept() {
    CapacityClaim maintenance = claim("n1", ClaimKind.LOSS_OR_MAINTENANCE, 0, 5, 6, 0);
    CapacityClaim reserved = claim("j", ClaimKind.RESERVATION_WITHIN_SHARE, 0, 0, 10, 0);
    CapacityClaim behind = claim("k", ClaimKind.RESERVATION_BEYOND_SHARE, 0, 0, 5, 0);

    ClaimPrecedence decided = decide(reserved, behind, maintenance);

    assertThat(decided.displaced()).isEqualTo(Collections.singletonMap(reserved, maintenance));
    assertThat(decided.standing()).containsExactly(maintenance, behind);
  }

  @Test
  void nodesAreKeptForARestartForTenMinutesAndNeverFromADeadline() {
    CapacityClaim kept = CapacityClaim.forRestart("gang", 0, START, Optional.empty(), gpu(0));
    CapacityClaim deadline = claim("d", ClaimKind.DEADLINE_PROMISE, 9, 300, 900, 0);
    CapacityClaim after = claim("r", ClaimKind.RESERVATION_WITHIN_SHARE, 1, 600, 900, 0);

    assertThat(kept.until()).isEqualTo(START.plus(Duration.ofMinutes(10)));
    assertThat(decide(kept, after).standing()).containsExactly(kept, after);
    assertThat(decide(kept, deadline).standing()).containsExactly(deadline);
    assertThat(
            CapacityClaim.forRestart("gang", 0, START, Optional.of(Duration.ofHours(1)), gpu(0))
                .until())
        .isEqualTo(START.plus(Duration.ofHours(1)));
  }

  @ParameterizedTest
  @EnumSource(ClaimKind.class)
  void aJobThatStartedInAReservationOrForADeadlineIsNotStoppedForALaterKind(ClaimKind asker) {
    for (ClaimKind kind : ClaimKind.values()) {
      CapacityClaim started = claim("j", kind, 0, 0, 10, 0);
      boolean isSafe =
          (kind == ClaimKind.ADVANCE_RESERVATION || kind == ClaimKind.DEADLINE_PROMISE)
              && place(asker) > place(kind);

      assertThat(started.mayStopStarted(Optional.of(asker), START.plusSeconds(9)))
          .isEqualTo(!isSafe);
      assertThat(started.mayStopStarted(Optional.of(asker), START.plusSeconds(10))).isTrue();
    }
  }

  @Test
  void aJobWithoutAClaimStopsNoneThatStartedForADeadline() {
    CapacityClaim started = claim("j", ClaimKind.DEADLINE_PROMISE, 0, 0, 10, 0);

    assertThat(started.mayStopStarted(Optional.empty(), START)).isFalse();
    assertThat(started.mayStopStarted(Optional.empty(), START.plusSeconds(10))).isTrue();
  }

  @Test
  void claimsThatCannotBeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> claim("j", ClaimKind.RESTART, 0, 5, 5, 0))
        .withMessageStartingWith("a claim must end after it begins, but 'j' is from");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ClaimPrecedence.of(List.of(claim("j", ClaimKind.RESTART, 0, 0, 5, 3)), cell -> 500))
        .withMessage(
            "a claim must not exceed the capacity of a cell, but 'j' claims 1000 of 500 of cell 3");
  }

  private static int place(ClaimKind kind) {
    return List.of(ClaimKind.values()).indexOf(kind);
  }
}
