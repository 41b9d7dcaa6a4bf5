package io.github.liquidscheduler.runtime.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.runtime.forecast.RunTimeDistribution.Span;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RunTimeDistributionTest {

  private static final Offset<Double> CLOSE = within(1e-9);

  /** Hazards 1/4, 1/4 + 1/3 and 1/4 + 1/3 + 1/2. */
  private final RunTimeDistribution distribution =
      new RunTimeDistribution(List.of(ended(2), running(4), ended(1), ended(3)));

  private static Span ended(double length) {
    return new Span(0, length, true);
  }

  private static Span running(double length) {
    return new Span(0, length, false);
  }

  @Test
  void aQuantileIsTheFirstLengthOfAtLeastSoMuchHazard() {
    assertThat(distribution.given(0, 1 - Math.exp(-.24))).isEqualTo(1);
    assertThat(distribution.given(0, 1 - Math.exp(-.26))).isEqualTo(2);
    assertThat(distribution.given(0, 1 - Math.exp(-.59))).isEqualTo(3);
  }

  @Test
  void whoHasLastedSoLongHasThatHazardBehindIt() {
    assertThat(distribution.given(1, 1 - Math.exp(-.33))).isEqualTo(2);
    assertThat(distribution.given(1, 1 - Math.exp(-.34))).isEqualTo(3);
    assertThat(distribution.given(2.5, .01)).isEqualTo(3);
  }

  @Test
  void whoOutlivesAllKnownLastsTwiceAsLongWithProbabilityOneHalf() {
    assertThat(distribution.given(10, .5)).isEqualTo(20, CLOSE);
    assertThat(distribution.given(10, .75)).isEqualTo(40, CLOSE);
    assertThat(distribution.given(2, 1 - Math.exp(-.5) / 2)).isEqualTo(6, CLOSE);
  }

  @Test
  void whatWasNotWatchedDoesNotCount() {
    RunTimeDistribution watched =
        new RunTimeDistribution(List.of(ended(1), new Span(2, 3, true), new Span(2, 5, false)));

    assertThat(watched.given(0, 1 - Math.exp(-.99))).isEqualTo(1);
    assertThat(watched.given(0, 1 - Math.exp(-1.01))).isEqualTo(3);
    assertThat(watched.given(0, 1 - Math.exp(-1.49))).isEqualTo(3);
  }

  @Test
  void whoWasSeenToTheSameLengthWasThereWhenOthersEnded() {
    RunTimeDistribution tied = new RunTimeDistribution(List.of(running(1), ended(1)));

    assertThat(tied.given(0, 1 - Math.exp(-.49))).isEqualTo(1);
    assertThat(tied.given(0, 1 - Math.exp(-.5) / 2)).isEqualTo(2, CLOSE);
  }

  @Test
  void jobsThatAllRanAsLongAsExpectedAreOne() {
    assertThat(new RunTimeDistribution(List.of(ended(1), ended(1), running(.5))).isOne()).isTrue();
    assertThat(new RunTimeDistribution(List.of(ended(1), ended(1.01))).isOne()).isFalse();
    assertThat(new RunTimeDistribution(List.of(ended(.99), ended(1))).isOne()).isFalse();
    assertThat(new RunTimeDistribution(List.of(ended(1), running(1.01))).isOne()).isFalse();
    assertThat(new RunTimeDistribution(List.of(running(.5))).isOne()).isFalse();
  }

  @Test
  void withoutAnEndNothingIsKnown() {
    assertThat(new RunTimeDistribution(List.of(running(1))).isEmpty()).isTrue();
    assertThat(distribution.isEmpty()).isFalse();
  }
}
