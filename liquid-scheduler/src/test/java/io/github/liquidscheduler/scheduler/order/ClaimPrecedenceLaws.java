package io.github.liquidscheduler.scheduler.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds of any claims on a few cells. */
class ClaimPrecedenceLaws {

  private static final long CAPACITY = 4;

  /** A claim without its name. */
  record Draft(
      ClaimKind kind, int turn, int from, int length, NavigableMap<Integer, Long> amounts) {

    CapacityClaim named(int index) {
      return new CapacityClaim(
          "claim " + index,
          kind,
          turn,
          Instant.ofEpochSecond(from),
          Instant.ofEpochSecond(from + length),
          amounts);
    }
  }

  @Provide
  Arbitrary<List<CapacityClaim>> claims() {
    Arbitrary<NavigableMap<Integer, Long>> amounts =
        Arbitraries.maps(
                Arbitraries.integers().between(0, 2), Arbitraries.longs().between(1, CAPACITY))
            .ofMinSize(1)
            .map(TreeMap::new);
    return Combinators.combine(
            Arbitraries.of(ClaimKind.class),
            Arbitraries.integers().between(0, 3),
            Arbitraries.integers().between(0, 6),
            Arbitraries.integers().between(1, 4),
            amounts)
        .as(Draft::new)
        .list()
        .ofMaxSize(9)
        .map(
            drafts -> {
              List<CapacityClaim> claims = new ArrayList<>();
              drafts.forEach(draft -> claims.add(draft.named(claims.size())));
              return claims;
            });
  }

  private static ClaimPrecedence decide(List<CapacityClaim> claims) {
    return ClaimPrecedence.of(claims, cell -> CAPACITY);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void theOrderIsTotal(@ForAll("claims") List<CapacityClaim> claims) {
    for (CapacityClaim one : claims) {
      for (CapacityClaim other : claims) {
        int order = CapacityClaim.PRECEDENCE.compare(one, other);
        assertThat(order == 0).isEqualTo(one.equals(other));
        assertThat(CapacityClaim.PRECEDENCE.compare(other, one)).isEqualTo(-order);
        for (CapacityClaim third : claims) {
          if (order < 0 && CapacityClaim.PRECEDENCE.compare(other, third) < 0) {
            assertThat(CapacityClaim.PRECEDENCE.compare(one, third)).isNegative();
          }
        }
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void whatStandsIsIndependentOfTheOrderOfOffers(
      @ForAll("claims") List<CapacityClaim> claims, @ForAll long seed) {
    List<CapacityClaim> shuffled = new ArrayList<>(claims);
    Collections.shuffle(shuffled, new Random(seed));
    ClaimPrecedence oneByOne = decide(List.of());
    for (CapacityClaim claim : shuffled) {
      oneByOne = oneByOne.with(claim, cell -> CAPACITY);
    }

    assertThat(decide(shuffled)).isEqualTo(decide(claims));
    assertThat(oneByOne).isEqualTo(decide(claims));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void noClaimIsDroppedAndNoCellIsClaimedTwice(@ForAll("claims") List<CapacityClaim> claims) {
    ClaimPrecedence decided = decide(claims);

    List<CapacityClaim> all = new ArrayList<>(decided.standing());
    all.addAll(decided.displaced().keySet());
    assertThat(all).containsExactlyInAnyOrderElementsOf(claims);
    assertThat(fit(decided.standing())).isTrue();
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aDisplacedClaimFitsBesideThoseBeforeItInNoWay(@ForAll("claims") List<CapacityClaim> claims) {
    ClaimPrecedence decided = decide(claims);

    decided
        .displaced()
        .forEach(
            (claim, winner) -> {
              List<CapacityClaim> before = new ArrayList<>(decided.standing());
              before.removeIf(other -> CapacityClaim.PRECEDENCE.compare(other, claim) > 0);
              assertThat(before).contains(winner);
              assertThat(winner.overlaps(claim)).isTrue();
              before.add(claim);
              assertThat(fit(before)).isFalse();
            });
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void noClaimDependsOnLaterOnes(@ForAll("claims") List<CapacityClaim> claims) {
    List<CapacityClaim> sorted = claims.stream().sorted(CapacityClaim.PRECEDENCE).toList();
    List<CapacityClaim> standing = decide(claims).standing();

    for (int most = 0; most <= sorted.size(); most++) {
      List<CapacityClaim> first = sorted.subList(0, most);
      assertThat(decide(first).standing())
          .isEqualTo(standing.stream().filter(first::contains).toList());
    }
  }

  private static boolean fit(List<CapacityClaim> claims) {
    for (CapacityClaim begins : claims) {
      Map<Integer, Long> claimed = new TreeMap<>();
      for (CapacityClaim claim : claims) {
        if (!claim.from().isAfter(begins.from()) && claim.until().isAfter(begins.from())) {
          claim.amounts().forEach((cell, amount) -> claimed.merge(cell, amount, Long::sum));
        }
      }
      if (claimed.values().stream().anyMatch(amount -> amount > CAPACITY)) {
        return false;
      }
    }
    return true;
  }
}
