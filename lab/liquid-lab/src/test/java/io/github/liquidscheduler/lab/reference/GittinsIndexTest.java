package io.github.liquidscheduler.lab.reference;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GittinsIndexTest {

  /**
   * Below 100: two of three end within 3250, for (100 + 200 + 3250) / 3 = 1183 each; 0.66667 / 1183
   * in millionths. Below 200: one of two, for (200 + 3250) / 2 = 1725 each. Then none.
   */
  @ParameterizedTest
  @CsvSource({
    "0, 563.5418",
    "99, 563.5418",
    "100, 289.8551",
    "199, 289.8551",
    "200, 0",
    "9999, 0",
    "10000, 0",
    "1000000, 0"
  })
  void aRankIsTheChanceToEndSoonByItsCost(long service, double rank) {
    GittinsIndex index = new GittinsIndex(ServiceSamples.of(100, 200, 10_000));

    assertThat(index.rank(service)).isEqualTo(rank);
  }

  /** 3 of 4 end, for (5 + 5 + 5 + 3250) / 4 = 816 each. */
  @ParameterizedTest
  @CsvSource({"4, 919.1176", "5, 0"})
  void equalSamplesCountEach(long service, double rank) {
    GittinsIndex index = new GittinsIndex(ServiceSamples.of(5, 5, 5, 90_000));

    assertThat(index.rank(service)).isEqualTo(rank);
  }
}
