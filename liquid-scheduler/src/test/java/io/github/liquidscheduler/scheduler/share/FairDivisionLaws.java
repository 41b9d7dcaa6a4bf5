package io.github.liquidscheduler.scheduler.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** What holds of every division among siblings, in whole GPUs. */
class FairDivisionLaws {

  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  @Provide
  Arbitrary<List<Claim>> claims() {
    Arbitrary<Double> limits = Arbitraries.oneOf(whole(0, 40), Arbitraries.just(NO_LIMIT));
    return Combinators.combine(
            whole(0, 12), limits, whole(0, 5), Arbitraries.integers().between(0, 2), whole(0, 40))
        .as(
            (own, limit, weight, priority, asks) ->
                new Claim(own, limit, weight, priority, asks, 0))
        .list()
        .ofMinSize(1)
        .ofMaxSize(7);
  }

  private static Arbitrary<Double> whole(int min, int max) {
    return Arbitraries.integers().between(min, max).map(Integer::doubleValue);
  }

  private static double[] divide(int total, List<Claim> claims) {
    return FairDivision.divide(total, claims, 0);
  }

  private static double guaranteed(Claim claim) {
    return Math.min(claim.guaranteed(), claim.wanted());
  }

  @Property
  void nobodyGetsMoreThanItWantsOrLessThanIsGuaranteed(
      @ForAll("claims") List<Claim> claims, @ForAll @IntRange(max = 100) int total) {
    double[] shares = divide(total, claims);

    for (int i = 0; i < shares.length; i++) {
      assertThat(shares[i]).isBetween(guaranteed(claims.get(i)), claims.get(i).wanted());
    }
  }

  @Property
  void allIsDividedThatSomebodyMayTake(
      @ForAll("claims") List<Claim> claims, @ForAll @IntRange(max = 100) int total) {
    double first = claims.stream().mapToDouble(FairDivisionLaws::guaranteed).sum();
    double more =
        claims.stream()
            .filter(claim -> claim.weight() > 0)
            .mapToDouble(claim -> claim.wanted() - guaranteed(claim))
            .sum();

    double expected = Math.max(first, Math.min(total, first + more));
    assertThat(Arrays.stream(divide(total, claims)).sum()).isCloseTo(expected, within(1e-9));
  }

  @Property
  void sharesAreWholeWhereAllAmountsAre(
      @ForAll("claims") List<Claim> claims, @ForAll @IntRange(max = 100) int total) {
    assertThat(divide(total, claims)).satisfies(FairDivisionLaws::areWhole);
  }

  private static void areWhole(double[] shares) {
    for (double share : shares) {
      assertThat(share).isEqualTo(Math.rint(share));
    }
  }

  /** As with every rule of largest remainders, rounding may move one unit the other way. */
  @Property
  void moreWeightIsNeverLessByMoreThanRoundingMoves(
      @ForAll("claims") List<Claim> claims,
      @ForAll @IntRange(max = 100) int total,
      @ForAll @IntRange(min = 1, max = 5) int more) {
    Claim first = claims.get(0);
    List<Claim> heavier = new ArrayList<>(claims);
    heavier.set(
        0,
        new Claim(
            first.guaranteed(),
            first.limit(),
            first.weight() + more,
            first.priority(),
            first.requested(),
            0));

    assertThat(divide(total, heavier)[0]).isGreaterThanOrEqualTo(divide(total, claims)[0] - 1);
  }
}
