package io.github.liquidscheduler.simulator.elastic;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** Throughput curves by the name of their model, in the order of the names. Immutable. */
public final class ThroughputCurves {

  /** The most GPUs of a measured point. */
  static final int MOST_GPUS = 4096;

  private static final String MODEL = "model";
  private static final String GPUS = "gpus";
  private static final String RATE = "iterations_per_second";

  private final SortedMap<String, ThroughputCurve> byModel;

  private ThroughputCurves(SortedMap<String, ThroughputCurve> byModel) {
    this.byModel = byModel;
  }

  /** Returns the given curves. */
  public static ThroughputCurves of(Map<String, ThroughputCurve> byModel) {
    return new ThroughputCurves(new TreeMap<>(byModel));
  }

  /**
   * Reads a CSV file with the columns {@code model}, {@code gpus} and {@code
   * iterations_per_second}, one row for each measured point, in any order.
   *
   * @throws InputFormatException if there is no such file, it cannot be read, a row is wrong or a
   *     model has no point at 1 GPU
   */
  public static ThroughputCurves read(Path file) {
    SortedMap<String, SortedMap<Integer, Double>> points = new TreeMap<>();
    for (Row row : Rows.read(file, MODEL, GPUS, RATE)) {
      add(row, points);
    }
    SortedMap<String, ThroughputCurve> curves = new TreeMap<>();
    points.forEach((model, rates) -> curves.put(model, curve(file, model, rates)));
    return new ThroughputCurves(curves);
  }

  /** Returns the curve of a model, empty if there is none. */
  public Optional<ThroughputCurve> of(String model) {
    return Optional.ofNullable(byModel.get(model));
  }

  /** Returns the names of the models in ascending order. */
  public SortedSet<String> models() {
    return Collections.unmodifiableSortedSet(new TreeMap<>(byModel).navigableKeySet());
  }

  private static void add(Row row, SortedMap<String, SortedMap<Integer, Double>> points) {
    int gpus = (int) row.whole(GPUS, 1, MOST_GPUS);
    Double earlier =
        points
            .computeIfAbsent(row.text(MODEL), model -> new TreeMap<>())
            .putIfAbsent(gpus, row.positive(RATE));
    if (earlier != null) {
      throw row.error(GPUS, "must come once for each model");
    }
  }

  private static ThroughputCurve curve(
      Path file, String model, SortedMap<Integer, Double> iterationsPerSecond) {
    try {
      return ThroughputCurve.of(iterationsPerSecond);
    } catch (IllegalArgumentException e) {
      throw new InputFormatException(file + ": " + e.getMessage() + ", for model " + model, e);
    }
  }
}
