package io.github.liquidscheduler.lab.published.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeMixTest {

  /** Efficiencies: 1, .95, .8, .5, .3, .2. */
  private static final ThroughputCurve CURVE =
      ThroughputCurve.of(Map.of(1, 1.0, 2, 1.9, 4, 3.2, 8, 4.0, 16, 4.8, 32, 6.4));

  @ParameterizedTest
  @CsvSource({
    "uniform, 1 1 1 2 2 2 4 4 4 8 8 8",
    "small, 1 1 1 1 1 1 2 2 2 2 4 8",
    "efficient, 1 1 1 1 2 2 2 2 4 4 4 4",
    "wide, 1 1 2 2 2 4 4 8 8 8 16 16",
    "single, 1 1 1 1 1 1 1 1 1 1 1 1"
  })
  void sizesAreDrawnInProportion(String name, String sizes) {
    SizeMix mix = SizeMix.named(name);
    List<String> drawn =
        IntStream.range(0, 12)
            .mapToObj(i -> Integer.toString(mix.size(CURVE, 32, (i + 0.5) / 12)))
            .toList();

    assertThat(String.join(" ", drawn)).isEqualTo(sizes);
  }

  @Test
  void noSizeIsAboveTheMost() {
    assertThat(SizeMix.UNIFORM.size(CURVE, 4, 0.999)).isEqualTo(4);
  }

  @Test
  void otherNamesAreRefused() {
    assertThatThrownBy(() -> SizeMix.named("large"))
        .hasMessageStartingWith(
            "a mix of sizes must be one of uniform, small, efficient, wide, single, but was ");
  }
}
