package io.github.liquidscheduler.scheduler.resize;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The measured speeds of one job by size, in iterations per second. Immutable. */
public final class SpeedCurve {

  /** No measurement. */
  public static final SpeedCurve NONE = new SpeedCurve(Collections.emptyNavigableMap());

  // Never changed.
  private final NavigableMap<Integer, Double> seen;

  private SpeedCurve(NavigableMap<Integer, Double> seen) {
    this.seen = seen;
  }

  /** Returns the number of measured sizes. */
  public int sizesSeen() {
    return seen.size();
  }

  /** Returns the curve with a new speed at a size. */
  public SpeedCurve with(int size, double iterationsPerSecond) {
    NavigableMap<Integer, Double> all = new TreeMap<>(seen);
    all.put(size, iterationsPerSecond);
    return new SpeedCurve(all);
  }

  /**
   * Returns the speed at a size: as measured, else the prior scaled by the ratio of measured to
   * prior speeds at the neighbouring sizes. Beyond the measured sizes the trend continues.
   *
   * @param expected the prior speed by size, in any unit; positive
   */
  public double at(int size, IntToDoubleFunction expected) {
    @Nullable Double there = seen.get(size);
    if (there != null) {
      return there;
    }
    if (seen.isEmpty()) {
      return expected.applyAsDouble(size);
    }
    Map.@Nullable Entry<Integer, Double> below = seen.lowerEntry(size);
    Map.@Nullable Entry<Integer, Double> above = seen.higherEntry(size);
    if (below == null) {
      below = requireNonNull(above);
      above = seen.higherEntry(below.getKey());
    } else if (above == null) {
      above = below;
      below = seen.lowerEntry(above.getKey());
    }
    double ratio =
        below == null || above == null
            ? ratio(seen.firstEntry(), expected)
            : ratio(size, below, above, expected);
    return expected.applyAsDouble(size) * ratio;
  }

  /** Returns the ratio at a size on the line through two points, with logarithmic axes. */
  private static double ratio(
      int size,
      Map.Entry<Integer, Double> one,
      Map.Entry<Integer, Double> other,
      IntToDoubleFunction expected) {
    double ratio = ratio(one, expected);
    double slope =
        Math.log(ratio(other, expected) / ratio) / Math.log((double) other.getKey() / one.getKey());
    return ratio * Math.pow((double) size / one.getKey(), slope);
  }

  private static double ratio(Map.Entry<Integer, Double> point, IntToDoubleFunction expected) {
    return point.getValue() / expected.applyAsDouble(point.getKey());
  }

  /** Saves the points under a name, if any. */
  public void save(String name, SnapshotSection.Builder section) {
    if (!seen.isEmpty()) {
      Collection<String> texts =
          seen.entrySet().stream().map(point -> point.getKey() + "=" + point.getValue()).toList();
      section.texts(name, texts);
    }
  }

  /** Returns the curve through the points. */
  public static SpeedCurve load(List<Map.Entry<Integer, Double>> points) {
    SpeedCurve curve = NONE;
    for (Map.Entry<Integer, Double> point : points) {
      curve = curve.with(point.getKey(), point.getValue());
    }
    return curve;
  }

  /**
   * Returns a saved point.
   *
   * @throws IllegalArgumentException if the text is malformed
   */
  public static Map.Entry<Integer, Double> point(String text) {
    int equals = text.indexOf('=');
    int size = Integer.parseInt(text.substring(0, Math.max(0, equals)));
    double speed = Double.parseDouble(text.substring(equals + 1));
    if (size < 1 || !(speed > 0 && speed < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a size and its speed must be positive and finite");
    }
    return Map.entry(size, speed);
  }
}
