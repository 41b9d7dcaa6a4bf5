package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.training.statistics.Sample;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The quality of the estimates of one target.
 *
 * @param target the target
 * @param count how many measurements there were
 * @param rmse the root of the mean squared error, in the target's unit
 * @param mae the mean absolute error, in the target's unit
 * @param r2 one less mean squared error over variance; NaN if the truth never varies
 * @param medianRelativeError the median of error over truth
 * @param coverage the part of the measurements within their 90 % interval
 * @param underestimated the part of the measurements above what was asked for; only device memory
 *     is asked for, for the others it is the part above the interval
 */
public record TargetScore(
    ResourceTarget target,
    int count,
    double rmse,
    double mae,
    double r2,
    double medianRelativeError,
    double coverage,
    double underestimated) {

  /** Returns the score of {@code target}, or empty if it was measured nowhere. */
  public static Optional<TargetScore> of(ResourceTarget target, List<Outcome> outcomes) {
    List<Outcome> measured =
        outcomes.stream()
            .filter(outcome -> outcome.sample().value(target).isPresent())
            .filter(outcome -> Double.isFinite(outcome.estimate().of(target).value()))
            .toList();
    return measured.isEmpty() ? Optional.empty() : Optional.of(score(target, measured));
  }

  private static TargetScore score(ResourceTarget target, List<Outcome> outcomes) {
    double[] truths =
        outcomes.stream().mapToDouble(o -> o.sample().value(target).orElseThrow()).toArray();
    double[] errors = new double[truths.length];
    double[] relative = new double[truths.length];
    int covered = 0;
    int under = 0;
    for (int i = 0; i < truths.length; i++) {
      Outcome outcome = outcomes.get(i);
      Prediction prediction = outcome.estimate().of(target);
      errors[i] = Math.abs(prediction.value() - truths[i]);
      relative[i] = errors[i] / Math.max(truths[i], Double.MIN_NORMAL);
      covered += prediction.low() <= truths[i] && truths[i] <= prediction.high() ? 1 : 0;
      under += truths[i] > granted(outcome, target) ? 1 : 0;
    }
    double mse = Sample.of(Arrays.stream(errors).map(e -> e * e)).mean();
    double variance = Sample.of(Arrays.stream(truths)).variance();
    return new TargetScore(
        target,
        truths.length,
        Math.sqrt(mse),
        Sample.of(Arrays.stream(errors)).mean(),
        variance == 0 ? Double.NaN : 1 - mse / variance,
        Sample.of(Arrays.stream(relative)).median(),
        (double) covered / truths.length,
        (double) under / truths.length);
  }

  private static double granted(Outcome outcome, ResourceTarget target) {
    return target == ResourceTarget.GPU_MEMORY
        ? (double) outcome.estimate().gpuMemoryRequested().bytes()
        : outcome.estimate().of(target).high();
  }
}
