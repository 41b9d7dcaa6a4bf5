package io.github.liquidscheduler.scheduler.speed;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The last measured speeds of one job by GPU model, in iterations per second. Immutable. */
public final class SeenSpeeds {

  private static final String NAME = "gpuSpeeds";

  /** No measurement. */
  public static final SeenSpeeds NONE = new SeenSpeeds(Collections.emptySortedMap());

  // Never changed.
  private final SortedMap<GpuModel, Double> seen;

  private SeenSpeeds(SortedMap<GpuModel, Double> seen) {
    this.seen = seen;
  }

  /** Returns the speeds with a new one on a model. */
  public SeenSpeeds with(GpuModel model, double iterationsPerSecond) {
    SortedMap<GpuModel, Double> all = new TreeMap<>(seen);
    all.put(model, iterationsPerSecond);
    return new SeenSpeeds(all);
  }

  /**
   * Corrects predictions: measured speeds replace them, others are scaled by the geometric mean of
   * the ratios, so that a single measurement changes no ratio between models.
   */
  void correct(Map<GpuModel, Double> predicted) {
    double logarithms = 0;
    int known = 0;
    for (Map.Entry<GpuModel, Double> point : seen.entrySet()) {
      @Nullable Double expected = predicted.get(point.getKey());
      if (expected != null) {
        logarithms += StrictMath.log(point.getValue() / expected);
        known++;
      }
    }
    if (known > 1) {
      double factor = StrictMath.exp(logarithms / known);
      predicted.replaceAll((model, speed) -> seen.getOrDefault(model, speed * factor));
    }
  }

  /** Saves the speeds, if any. */
  public void save(SnapshotSection.Builder section) {
    if (!seen.isEmpty()) {
      Collection<String> texts =
          seen.entrySet().stream()
              .map(point -> point.getValue() + "=" + point.getKey().name())
              .toList();
      section.texts(NAME, texts);
    }
  }

  /** Returns the saved speeds. */
  public static SeenSpeeds load(SnapshotSection.Reader in) {
    SeenSpeeds speeds = NONE;
    for (Map.Entry<GpuModel, Double> point : in.texts(NAME, SeenSpeeds::point)) {
      speeds = speeds.with(point.getKey(), point.getValue());
    }
    return speeds;
  }

  private static Map.Entry<GpuModel, Double> point(String text) {
    int equals = text.indexOf('=');
    double speed = Double.parseDouble(text.substring(0, Math.max(0, equals)));
    if (!(speed > 0 && speed < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a speed must be positive and finite");
    }
    return Map.entry(GpuModel.of(text.substring(equals + 1)), speed);
  }
}
