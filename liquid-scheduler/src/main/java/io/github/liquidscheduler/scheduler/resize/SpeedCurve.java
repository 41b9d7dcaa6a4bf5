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

/** How many iterations per second one job was seen to do at each of its sizes. */
public final class SpeedCurve {

  /** Of a job that was not seen yet. */
  public static final SpeedCurve NONE = new SpeedCurve(Collections.emptyNavigableMap());

  // Not changed once it is here.
  private final NavigableMap<Integer, Double> seen;

  private SpeedCurve(NavigableMap<Integer, Double> seen) {
    this.seen = seen;
  }

  /** Returns at how many sizes it was seen. */
  public int sizesSeen() {
    return seen.size();
  }

  /** Returns the curve with the speed at a size, instead of what was seen there before. */
  public SpeedCurve with(int size, double iterationsPerSecond) {
    NavigableMap<Integer, Double> all = new TreeMap<>(seen);
    all.put(size, iterationsPerSecond);
    return new SpeedCurve(all);
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

  /** Returns what the straight line through both is at a size, where both axes are logarithmic. */
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

  /** Writes the points by a name, if there are any. */
  public void save(String name, SnapshotSection.Builder section) {
    if (!seen.isEmpty()) {
      Collection<String> texts =
          seen.entrySet().stream().map(point -> point.getKey() + "=" + point.getValue()).toList();
      section.texts(name, texts);
    }
  }

  /** Returns the curve through these points. */
  public static SpeedCurve load(List<Map.Entry<Integer, Double>> points) {
    SpeedCurve curve = NONE;
    for (Map.Entry<Integer, Double> point : points) {
      curve = curve.with(point.getKey(), point.getValue());
    }
    return curve;
  }

  /**
   * Returns the point that {@link #save} has written.
   *
   * @throws IllegalArgumentException if it is none
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
