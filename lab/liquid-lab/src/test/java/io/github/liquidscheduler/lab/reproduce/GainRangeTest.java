package io.github.liquidscheduler.lab.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.lab.reproduce.SharingTable.Gain;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class GainRangeTest {

  @Test
  void worstMedianAndBestAreOfAllTracesAndLoads() {
    GainRange range = new GainRange();
    List<Double> gains = List.of(0.3, -0.1, 0.2, 0.1);
    gains.forEach(
        gain -> range.add(Path.of("a.trace"), 2, new Gain(gain, 0), new Gain(2 * gain, 0.5)));

    assertThat(range.lines())
        .containsExactly(
            "predicted, learning, work    worst  -10.0 %, median  +15.0 %, best  +30.0 %",
            "predicted, learning, JCT     worst   +0.0 %, median   +0.0 %, best   +0.0 %",
            "planned, learning, work      worst  -20.0 %, median  +30.0 %, best  +60.0 %",
            "planned, learning, JCT       worst  +50.0 %, median  +50.0 %, best  +50.0 %");
  }
}
