package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** How many iterations per second one job was seen to do at each of its sizes. Mutable. */
public final class SpeedCurve {

  private final TreeMap<Integer, Double> seen = new TreeMap<>();

  SpeedCurve() {}

  private SpeedCurve(Map<Integer, Double> seen) {
    this.seen.putAll(seen);
  }

  SpeedCurve copy() {
    return new SpeedCurve(seen);
  }

  void observe(int size, double iterationsPerSecond) {
    seen.put(size, iterationsPerSecond);
  }

  /**
   * Returns the speed at a size: as seen, else what is {@code expected} times what was seen beside
   * what was expected of the sizes next to it. Beyond the sizes seen the trend goes on.
   *
   * @param expected the speed at each size as far as is known without having seen any, in any unit;
   *     positive
   */
  public double at(int size, IntToDoubleFunction expected) {
    @Nullable Double there = seen.get(size);
    if (there != null) {
      return there;
    }
    if (seen.isEmpty()) {
      return expected.applyAsDouble(size);
    }
    @Nullable Integer below = seen.lowerKey(size);
    @Nullable Integer above = seen.higherKey(size);
    if (below == null) {
      below = above;
      above = seen.higherKey(below);
    } else if (above == null) {
      above = below;
      below = seen.lowerKey(above);
    }
    if (below == null || above == null) {
      int only = seen.firstKey();
      return expected.applyAsDouble(size) * ratio(only, expected);
    }
    double slope =
        Math.log(ratio(above, expected) / ratio(below, expected))
            / Math.log((double) above / below);
    double ratio = ratio(below, expected) * Math.pow((double) size / below, slope);
    return expected.applyAsDouble(size) * ratio;
  }

  private double ratio(int size, IntToDoubleFunction expected) {
    return seen.get(size) / expected.applyAsDouble(size);
  }

  void save(SnapshotSection.Builder section) {
    if (!seen.isEmpty()) {
      Collection<String> texts =
          seen.entrySet().stream().map(point -> point.getKey() + "=" + point.getValue()).toList();
      section.texts("speeds", texts);
    }
  }

  static SpeedCurve load(List<Map.Entry<Integer, Double>> points) {
    SpeedCurve curve = new SpeedCurve();
    points.forEach(point -> curve.observe(point.getKey(), point.getValue()));
    return curve;
  }

  /**
   * Returns the point that {@link #save} has written.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Map.Entry<Integer, Double> point(String text) {
    int equals = text.indexOf('=');
    int size = Integer.parseInt(text.substring(0, Math.max(0, equals)));
    double speed = Double.parseDouble(text.substring(equals + 1));
    if (size < 1 || !(speed > 0 && speed < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a size and its speed must be positive and finite");
    }
    return Map.entry(size, speed);
  }
}
