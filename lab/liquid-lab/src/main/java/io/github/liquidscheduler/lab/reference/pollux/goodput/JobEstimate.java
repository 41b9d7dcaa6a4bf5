package io.github.liquidscheduler.lab.reference.pollux.goodput;

import io.github.liquidscheduler.lab.reference.pollux.application.BatchLimits;
import io.github.liquidscheduler.lab.reference.pollux.application.GpuLayout;
import io.github.liquidscheduler.lab.reference.pollux.application.GradientNoise;
import io.github.liquidscheduler.lab.reference.pollux.application.StepTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one job's goodput from the configurations in which it ran. The model is fitted
 * when it is asked for, if something new was observed.
 */
public final class JobEstimate {

  private final BatchLimits limits;
  private final List<StepObservation> observations = new ArrayList<>();
  private final Map<List<Integer>, BatchChoice> choices = new HashMap<>();
  private GradientNoise noise = new GradientNoise(1, 0);
  private @Nullable StepTimeModel steps;

  /** Makes an estimate that knows the limits only. */
  public JobEstimate(BatchLimits limits) {
    this.limits = limits;
  }

  /** Notes a step: its layout, the batch size of each GPU, its time and the gradients. */
  public void observe(GpuLayout layout, int localBatch, StepTime time, GradientNoise reported) {
    if (!reported.equals(noise)) {
      noise = reported;
      choices.clear();
    }
    StepObservation seen = new StepObservation(layout.nodes(), layout.gpus(), localBatch, time);
    if (observations.stream().noneMatch(seen::isSameConfiguration)) {
      observations.add(seen);
      steps = null;
      choices.clear();
    }
  }

  /** Returns the most GPUs on which it was observed, 0 if on none. */
  public int mostObservedGpus() {
    return observations.stream().mapToInt(StepObservation::gpus).max().orElse(0);
  }

  /**
   * Returns the best batch size on these GPUs and the goodput there, or nothing if no step was
   * observed.
   */
  public Optional<BatchChoice> best(int nodes, int gpus) {
    return observations.isEmpty()
        ? Optional.empty()
        : Optional.of(
            choices.computeIfAbsent(
                List.of(nodes, gpus),
                key -> new GoodputModel(model(), noise, limits).best(nodes, gpus)));
  }

  private StepTimeModel model() {
    StepTimeModel fitted = steps;
    if (fitted == null) {
      fitted = StepTimeFit.of(observations);
      steps = fitted;
    }
    return fitted;
  }
}
