package io.github.liquidscheduler.lab.reference.pollux.goodput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.lab.reference.pollux.application.BatchLimits;
import io.github.liquidscheduler.lab.reference.pollux.application.GpuLayout;
import io.github.liquidscheduler.lab.reference.pollux.application.GradientNoise;
import io.github.liquidscheduler.lab.reference.pollux.application.StepTime;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class JobEstimateTest {

  private final JobEstimate estimate = new JobEstimate(new BatchLimits(32, 1024, 8, 64));

  @Test
  void nothingIsKnownOfAJobThatNeverRan() {
    assertThat(estimate.best(1, 1)).isEmpty();
    assertThat(estimate.mostObservedGpus()).isZero();
  }

  @Test
  void synchronisingThatWasNeverSeenCostsNothing() {
    observe(GpuLayout.of(1), 32, 0.1);

    double single = goodput(1, 1);

    assertThat(goodput(1, 2)).isGreaterThan(1.9 * single);
  }

  @Test
  void aLargerBatchIsChosenWhereGradientsAreNoisy() {
    observe(GpuLayout.of(4), 32, 0.1);

    int total = estimate.best(1, 4).orElseThrow().batch().total(4);

    assertThat(total).isGreaterThan(128);
  }

  @Test
  void theModelFitsWhatWasSeen() {
    StepTimeModel model =
        StepTimeFit.of(
            List.of(
                seen(1, 1, 16, 0.2, 0),
                seen(1, 1, 64, 0.5, 0),
                seen(1, 4, 16, 0.3, 0.1),
                seen(1, 4, 64, 0.6, 0.1),
                seen(2, 8, 64, 0.9, 0.4)));

    assertThat(model.computing(32)).isCloseTo(0.3, within(0.02));
    assertThat(model.step(1, 4, 16)).isCloseTo(0.3, Percentage.withPercentage(10));
    assertThat(model.step(2, 8, 64)).isCloseTo(0.9, Percentage.withPercentage(10));
  }

  private double goodput(int nodes, int gpus) {
    return estimate.best(nodes, gpus).orElseThrow().goodput();
  }

  private void observe(GpuLayout layout, int batch, double seconds) {
    estimate.observe(layout, batch, new StepTime(seconds, 1e-3), new GradientNoise(1, 100));
  }

  private static StepObservation seen(
      int nodes, int gpus, int batch, double step, double synchronizing) {
    return new StepObservation(nodes, gpus, batch, new StepTime(step, synchronizing));
  }
}
