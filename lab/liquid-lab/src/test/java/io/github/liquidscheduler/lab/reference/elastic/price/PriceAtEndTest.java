package io.github.liquidscheduler.lab.reference.elastic.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PriceAtEndTest {

  /** Of such a job the logarithm of the time is that in whose units the weights are. */
  private static final double MEDIUM = Math.exp(7) - 30;

  @Test
  void aWeightedPriceIsBetweenBoth() {
    PriceAtEnd price = PriceAtEnd.weighted(0.25);

    assertThat(price.of(16, 1, 100)).isCloseTo(8, within(1e-12));
    assertThat(price.of(16, 1, 1e6)).isEqualTo(price.of(16, 1, 100));
  }

  @Test
  void theLongerAJobTakesTheLessThePresentPriceCountsForIt() {
    double ofShort = ratio(60);
    double ofMedium = ratio(MEDIUM);
    double ofLong = ratio(30_000);

    assertThat(ofShort).isGreaterThan(ofMedium);
    assertThat(ofMedium).isCloseTo(Math.pow(10, 0.739), within(1e-9)).isGreaterThan(ofLong);
    assertThat(ofLong).isGreaterThan(1);
  }

  /** Returns how many times the price at the end is, if the present one is ten times as high. */
  private static double ratio(double seconds) {
    return PriceAtEnd.FITTED.of(1, 0.5, seconds) / PriceAtEnd.FITTED.of(0.1, 0.5, seconds);
  }

  @Test
  void aPriceStaysWithinWhatPricesAre() {
    assertThat(PriceAtEnd.FITTED.of(1e-3, 1e2, 1)).isEqualTo(1e-4, within(1e-12));
    assertThat(PriceAtEnd.FITTED.of(1e2, 1e-3, 1)).isEqualTo(1e2, within(1e-9));
  }
}
