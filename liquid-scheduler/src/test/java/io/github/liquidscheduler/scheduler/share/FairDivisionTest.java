package io.github.liquidscheduler.scheduler.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FairDivisionTest {

  private static Claim claim(double guaranteed, double weight, double requested) {
    return new Claim(guaranteed, Double.POSITIVE_INFINITY, weight, 0, requested, 0);
  }

  private static Claim used(double usage) {
    return new Claim(0, Double.POSITIVE_INFINITY, 1, 0, 16, usage);
  }

  @Test
  void whatIsLeftOverGoesByWeightAndTheLastUnitToTheLargestRemainder() {
    assertThat(
            FairDivision.divide(16, List.of(claim(4, 2, 12), claim(2, 1, 12), claim(4, 1, 5)), 0))
        .containsExactly(8, 3, 5);
  }

  @Test
  void ofEqualRemaindersTheOldestQueuesGetTheLastUnits() {
    Claim each = claim(2, 1, 8);

    assertThat(FairDivision.divide(11, List.of(each, each, each), 0)).containsExactly(4, 4, 3);
  }

  @Test
  void whoHasUsedMuchOfLateGetsLess() {
    List<Claim> claims = List.of(used(0.6), used(0.1));

    assertThat(FairDivision.divide(16, claims, 1)).containsExactly(5, 11);
    assertThat(FairDivision.divide(16, claims, 0.5)).containsExactly(6, 10);
    assertThat(FairDivision.divide(16, claims, 0)).containsExactly(8, 8);
    assertThat(FairDivision.divide(16, List.of(used(1.2), used(0.1)), 1)).containsExactly(0, 16);
  }

  @Test
  void aHigherPriorityGetsAllItWantsOfWhatIsLeftOver() {
    Claim first = new Claim(0, 6, 1, 2, 20, 0);
    Claim second = new Claim(0, Double.POSITIVE_INFINITY, 100, 1, 20, 0);

    assertThat(FairDivision.divide(10, List.of(second, first), 0)).containsExactly(4, 6);
  }

  @Test
  void guaranteesMayExceedWhatThereIs() {
    assertThat(FairDivision.divide(8, List.of(claim(6, 1, 9), claim(6, 1, 9)), 0))
        .containsExactly(6, 6);
    assertThat(FairDivision.divide(1, List.of(claim(3, 0, 2)), 0)).containsExactly(2);
  }

  @Test
  void aGuaranteeWithoutEndIsAllThereIs() {
    Claim all = claim(Double.POSITIVE_INFINITY, 1, 9);

    assertThat(FairDivision.divide(8, List.of(all, claim(2, 1, 3)), 0)).containsExactly(8, 2);
  }

  @Test
  void withoutAWeightNothingIsLeftOver() {
    assertThat(FairDivision.divide(8, List.of(claim(2, 0, 9), claim(2, 1, 3)), 0))
        .containsExactly(2, 3);
  }
}
