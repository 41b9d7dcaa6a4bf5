package io.github.liquidscheduler.scheduler.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.scheduler.order.VictimOption.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds of any victims. */
class VictimOrderLaws {

  private static final VictimOrder ORDER = VictimOrder.BY_RIGHT_AND_HARM;

  @Provide
  Arbitrary<List<VictimOption>> victims() {
    Arbitrary<Integer> few = Arbitraries.integers().between(0, 2);
    return Combinators.combine(
            Arbitraries.of(TakingRight.class), few, Arbitraries.of(Action.class), few, few, few)
        .as(
            (right, rank, action, harm, beyond, start) ->
                new VictimOption(
                    right,
                    rank,
                    action,
                    Duration.ofSeconds(harm),
                    beyond,
                    Instant.ofEpochSecond(start),
                    0))
        .list()
        .ofMinSize(2)
        .ofMaxSize(8)
        .map(VictimOrderLaws::numbered);
  }

  private static List<VictimOption> numbered(List<VictimOption> victims) {
    List<VictimOption> numbered = new ArrayList<>();
    victims.forEach(victim -> numbered.add(withSequence(victim, numbered.size())));
    return numbered;
  }

  private static VictimOption withSequence(VictimOption victim, long sequence) {
    return new VictimOption(
        victim.right(),
        victim.rank(),
        victim.action(),
        victim.harm(),
        victim.beyondNeed(),
        victim.startedAt(),
        sequence);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void theOrderIsTotal(@ForAll("victims") List<VictimOption> victims) {
    for (VictimOption one : victims) {
      for (VictimOption other : victims) {
        int order = ORDER.compare(one, other);
        assertThat(order == 0).isEqualTo(one.equals(other));
        assertThat(Integer.signum(ORDER.compare(other, one))).isEqualTo(-Integer.signum(order));
        for (VictimOption third : victims) {
          if (order < 0 && ORDER.compare(other, third) < 0) {
            assertThat(ORDER.compare(one, third)).isNegative();
          }
        }
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void nobodyOfOneRightAndRankGoesBeforeOneThatIsHarmedLess(
      @ForAll("victims") List<VictimOption> victims) {
    List<VictimOption> sorted = victims.stream().sorted(ORDER).toList();

    for (int i = 1; i < sorted.size(); i++) {
      VictimOption before = sorted.get(i - 1);
      VictimOption after = sorted.get(i);
      assertThat(before.right()).isLessThanOrEqualTo(after.right());
      if (before.right() == after.right()
          && (before.right() != TakingRight.LOWER_RANK || before.rank() == after.rank())) {
        assertThat(before.harm()).isLessThanOrEqualTo(after.harm());
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void theOrderOfSubmissionDecidesOnlyBetweenVictimsThatAreAlike(
      @ForAll("victims") List<VictimOption> victims) {
    VictimOption one = victims.getFirst();
    VictimOption other = victims.getLast();
    boolean areAlike = withSequence(one, 0).equals(withSequence(other, 0));
    boolean isSame =
        ORDER.compare(withSequence(one, 5), withSequence(other, 6)) < 0
            == ORDER.compare(withSequence(one, 6), withSequence(other, 5)) < 0;

    boolean countsRank = one.right() == TakingRight.LOWER_RANK;
    if (!areAlike && (countsRank || one.rank() == other.rank())) {
      assertThat(isSame).isTrue();
    }
  }
}
