package io.github.liquidscheduler.lab.reference.pollux.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class TimeCellTest {

  private static final TimeCell CELL =
      new TimeCell(List.of(at(4, 4, 8, 1), at(8, 4, 8, 2), at(4, 8, 8, 4), at(4, 4, 16, 8)));

  @Test
  void timesAreLinearBetweenCorners() {
    StepTime time = CELL.at(6, 4, 12).orElseThrow();

    assertThat(time.step()).isCloseTo(5, within(1e-12));
    assertThat(time.synchronizing()).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void cornersAreAsMeasured() {
    assertThat(CELL.at(4, 8, 8).orElseThrow()).isEqualTo(new StepTime(4, 0.4));
  }

  @Test
  void pointsOutsideAreInNoCell() {
    assertThat(CELL.at(8, 8, 8)).isEmpty();
    assertThat(CELL.at(4, 4, 17)).isEmpty();
  }

  @Test
  void aFlatCellIsRefused() {
    assertThatThrownBy(
            () ->
                new TimeCell(
                    List.of(at(4, 4, 8, 1), at(8, 4, 8, 2), at(4, 8, 8, 4), at(8, 8, 8, 8))))
        .hasMessageContaining("must not be in one plane");
  }

  private static CountedTime at(int nodes, int gpus, int batch, double seconds) {
    return new CountedTime(nodes, gpus, batch, new StepTime(seconds, seconds / 10));
  }
}
