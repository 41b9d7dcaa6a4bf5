package io.github.liquidscheduler.simulator.elastic;

import com.google.common.collect.RowSortedTable;
import com.google.common.collect.TreeBasedTable;
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
    RowSortedTable<String, Integer, Double> points = TreeBasedTable.create();
    for (Row row : Rows.read(file, MODEL, GPUS, RATE)) {
      int gpus = (int) row.whole(GPUS, 1, MOST_GPUS);
      if (points.put(row.text(MODEL), gpus, row.positive(RATE)) != null) {
        throw row.error(GPUS, "must come once for each model");
      }
    }
    SortedMap<String, ThroughputCurve> curves = new TreeMap<>();
    points.rowMap().forEach((model, rates) -> curves.put(model, curve(file, model, rates)));
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

  private static ThroughputCurve curve(
      Path file, String model, Map<Integer, Double> iterationsPerSecond) {
    try {
      return ThroughputCurve.of(iterationsPerSecond);
    } catch (IllegalArgumentException e) {
      throw new InputFormatException(file + ": " + e.getMessage() + ", for model " + model, e);
    }
  }
}
