package io.github.liquidscheduler.lab.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.lab.published.BatchMode.Achieved;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchModeTest {

  @ParameterizedTest
  @ValueSource(ints = {5, 10, 15, 20})
  void oursIsNoWorseThanLiquidsAlgorithmAndBetterThanTheOthers(int nodes) {
    BatchMode experiment = BatchMode.on(nodes, 1);
    List<Achieved> achieved = experiment.run();
    Achieved ours = achieved.get(0);
    Achieved gga = achieved.get(1);

    assertThat(ours.completion().mean()).isLessThanOrEqualTo(gga.completion().mean() * 1.001);
    assertThat(ours.makespan().mean()).isLessThanOrEqualTo(gga.makespan().mean() * 1.001);
    assertThat(ours.completion().mean())
        .isLessThan(BatchMode.compared(achieved, row -> row.completion().mean()));
    assertThat(ours.makespan().mean())
        .isLessThan(BatchMode.compared(achieved, row -> row.makespan().mean()));
    assertThat(achieved)
        .allSatisfy(
            row -> {
              assertThat(row.makespan().mean()).isGreaterThanOrEqualTo(experiment.leastMakespan());
              assertThat(row.completion().mean())
                  .isGreaterThanOrEqualTo(experiment.leastCompletion());
            });
  }

  @Test
  void thePublishedSavingsAreThoseOfTheFigure() {
    assertThat(1 - 770 / Figure19.completion(20)).isCloseTo(0.225, within(0.001));
    assertThat(1 - 2265 / Figure19.makespan(20)).isCloseTo(0.229, within(0.001));
    assertThat(Figure19.of(20, "Kubeflow")).map(Figure19.Column::makespan).contains(2776.0);
    assertThat(Figure19.of(20, "")).isEmpty();
  }

  @Test
  void onlyPublishedSizesAreRun() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BatchMode.on(7, 1))
        .withMessage(
            "a batch must run on one of [5, 10, 15, 20] nodes at least once, but was to on 7, 1"
                + " time");
  }
}
