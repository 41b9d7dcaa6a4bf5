package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The drift of predictions on one GPU model from what they promised. Immutable.
 *
 * <p>Two cumulative sums (Page, 1954) see a shift up or down: of what was measured less what was
 * predicted, in standard deviations that the promised 90 % error stands for, each at most {@value
 * #MOST_DEVIATIONS} so that no single measurement raises the alarm. Errors that are larger on both
 * sides are seen by the part of the last {@value #WINDOW} that lies outside: {@value #OUTSIDE}
 * where .1 was promised.
 */
final class DriftDetector {
  static final String LEARNED_STATE = "errors";
  static final DriftDetector NONE = new DriftDetector(0, 0, 0, new double[0]);

  private static final int WINDOW = 64;
  private static final double OUTSIDE = 0.3;
  private static final double MOST_DEVIATIONS = 3;
  private static final double ALLOWED = 0.75;
  private static final double ALARM = 9;
  private static final double MOST = 2 * ALARM;
  private static final double QUANTILE = 0.9;

  private final int count;
  private final double above;
  private final double below;
  private final double[] ratios;
  private final double widening;

  private DriftDetector(int count, double above, double below, double[] ratios) {
    this.count = count;
    this.above = above;
    this.below = below;
    this.ratios = ratios;
    widening = isDrifting() ? Math.max(1, quantile()) : 1;
  }

  /**
   * Returns the detector that has seen one more error.
   *
   * @param off what was measured less what was predicted
   * @param promised the 90 % error of the prediction
   */
  DriftDetector plus(double off, double promised) {
    double deviations = LocalEffects.DEVIATIONS * off / promised;
    double bounded = Math.clamp(deviations, -MOST_DEVIATIONS, MOST_DEVIATIONS);
    double[] more = Arrays.copyOf(ratios, Math.min(count + 1, WINDOW));
    more[count % WINDOW] = Math.abs(off) / promised;
    return new DriftDetector(
        count + 1,
        Math.clamp(above + bounded - ALLOWED, 0, MOST),
        Math.clamp(below - bounded - ALLOWED, 0, MOST),
        more);
  }

  /** Returns true if recent errors are clearly larger than promised. */
  boolean isDrifting() {
    return above > ALARM || below > ALARM || isSpread();
  }

  /** Returns the factor that widens intervals: 1, or more while drifting. */
  double widening() {
    return widening;
  }

  private boolean isSpread() {
    return count >= WINDOW
        && Arrays.stream(ratios).filter(ratio -> ratio > 1).count() > OUTSIDE * WINDOW;
  }

  private double quantile() {
    double[] sorted = ratios.clone();
    Arrays.sort(sorted);
    return sorted[Math.min(sorted.length, (int) Math.ceil(QUANTILE * (sorted.length + 1))) - 1];
  }

  /** Returns the number of errors, both sums, and the last errors over the promised ones. */
  List<LearnedState> save(GpuModel gpu) {
    if (count == 0) {
      return List.of();
    }
    List<Double> numbers = new ArrayList<>(List.of((double) count, above, below));
    Arrays.stream(ratios).forEach(numbers::add);
    return List.of(new LearnedState(LEARNED_STATE, List.of(gpu.name()), numbers));
  }

  /**
   * Returns the detector that was saved.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static DriftDetector restored(LearnedState saved) {
    int seen = saved.count(0);
    List<Double> numbers = saved.requires(1, 3 + Math.min(seen, WINDOW)).numbers();
    double[] last = numbers.stream().skip(3).mapToDouble(Double::doubleValue).toArray();
    return new DriftDetector(
        seen, Math.clamp(numbers.get(1), 0, MOST), Math.clamp(numbers.get(2), 0, MOST), last);
  }
}
