package io.github.liquidscheduler.simulator.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;

class DurationDistributionTest {

  @Test
  void percentilesLieBetweenTheirNeighboursInProportion() {
    DurationDistribution ten = seconds(10, 20, 30, 40);

    assertThat(ten.median()).isEqualTo(Duration.ofSeconds(25));
    assertThat(ten.percentile(99)).isEqualTo(Duration.ofMillis(39_700));
    assertThat(ten.percentile(0)).isEqualTo(Duration.ofSeconds(10));
    assertThat(ten.percentile(100)).isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void sumAndAverageAreExact() {
    DurationDistribution three = seconds(3, 1, 1);

    assertThat(three.count()).isEqualTo(3);
    assertThat(three.sum()).isEqualTo(Duration.ofSeconds(5));
    assertThat(three.average()).isEqualTo(Duration.ofNanos(1_666_666_666));
    assertThat(List.of(three.percentile(0), three.median(), three.percentile(100)))
        .extracting(Duration::toSeconds)
        .containsExactly(1L, 1L, 3L);
  }

  @Test
  void oneValueIsEveryPercentile() {
    assertThat(seconds(7).percentile(95)).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void thousandsOfYearsDoNotOverflow() {
    Duration century = Duration.ofDays(36_500);
    DurationDistribution many = DurationDistribution.of(Collections.nCopies(100_000, century));

    assertThat(many.average()).isEqualTo(century);
  }

  @Test
  void aDistributionOfNothingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DurationDistribution.of(List.of()))
        .withMessage("a distribution must have a value, but had none");
  }

  @Test
  void aPercentileOutOfRangeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> seconds(1).percentile(101))
        .withMessage("percent must be from 0 to 100, but was 101");
  }

  @Property
  void percentilesNeverFall(
      @ForAll @NotEmpty List<@LongRange(min = 0, max = 1L << 50) Long> nanos,
      @ForAll @IntRange(min = 0, max = 99) int percent) {
    DurationDistribution distribution = nanos(nanos);

    assertThat(distribution.percentile(percent))
        .isBetween(distribution.percentile(0), distribution.percentile(percent + 1));
  }

  @Property
  void averageAndMedianLieBetweenLeastAndGreatest(
      @ForAll @NotEmpty List<@LongRange(min = 0, max = 1L << 50) Long> nanos) {
    DurationDistribution distribution = nanos(nanos);

    assertThat(distribution.average())
        .isBetween(distribution.percentile(0), distribution.percentile(100));
    assertThat(distribution.median())
        .isBetween(distribution.percentile(0), distribution.percentile(100));
  }

  @Property
  void percentilesAgreeWithTheFormulaInFloatingPoint(
      @ForAll @NotEmpty List<@LongRange(min = 0, max = 1L << 40) Long> nanos,
      @ForAll @IntRange(min = 0, max = 100) int percent) {
    List<Long> ascending = nanos.stream().sorted().toList();
    double rank = (ascending.size() - 1) * (percent / 100.0);
    double low = ascending.get((int) Math.floor(rank));
    double high = ascending.get((int) Math.ceil(rank));

    assertThat((double) nanos(nanos).percentile(percent).toNanos())
        .isCloseTo(low + (high - low) * (rank - Math.floor(rank)), within(2.0));
  }

  private static DurationDistribution seconds(long... seconds) {
    return DurationDistribution.of(LongStream.of(seconds).mapToObj(Duration::ofSeconds).toList());
  }

  private static DurationDistribution nanos(List<Long> nanos) {
    return DurationDistribution.of(nanos.stream().map(Duration::ofNanos).toList());
  }
}
