package io.github.liquidscheduler.lab.reference.pollux.application;

import java.util.List;

/**
 * The time of a training step in seconds.
 *
 * @param step computing and synchronising, as far as they do not overlap
 * @param synchronizing the part of it in which gradients are synchronised
 */
public record StepTime(double step, double synchronizing) {

  /** Returns the time of computing the gradients of one local batch. */
  public double computing() {
    return step - synchronizing;
  }

  /** Returns the time of a step that accumulates the gradients of further local batches. */
  public double accumulating(int further) {
    return step + further * computing();
  }

  /** Returns the sum of times, each times its weight. */
  static StepTime weighted(StepTime[] times, double[] weights) {
    double step = 0;
    double synchronizing = 0;
    for (int i = 0; i < times.length; i++) {
      step += weights[i] * times[i].step;
      synchronizing += weights[i] * times[i].synchronizing;
    }
    return new StepTime(step, synchronizing);
  }

  /** Returns the mean of times, of which there is at least one. */
  static StepTime mean(List<StepTime> times) {
    return new StepTime(
        times.stream().mapToDouble(StepTime::step).average().orElseThrow(),
        times.stream().mapToDouble(StepTime::synchronizing).average().orElseThrow());
  }

  StepTime interpolated(StepTime other, double fraction) {
    return new StepTime(
        step + (other.step - step) * fraction,
        synchronizing + (other.synchronizing - synchronizing) * fraction);
  }
}
