package io.github.liquidscheduler.training.similarity;

import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.statistics.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** A sparse table of retained speeds by classes and GPU models, and each class's speed alone. */
public final class PairTable {

  /** One direction of a measured pair. */
  public record Entry(int victim, int aggressor, int gpu, double speed) {}

  private final List<WorkloadClass> classes;
  private final List<GpuModel> gpus;
  private final double[][] isolatedRates;
  private final List<List<Entry>> cells = new ArrayList<>();

  private PairTable(List<Measurement> measurements) {
    TreeSet<String> names = new TreeSet<>();
    TreeSet<GpuModel> models = new TreeSet<>();
    for (Measurement each : measurements) {
      names.add(each.victimClass().toString());
      names.add(each.coRunnerClass().toString());
      models.add(each.gpu());
    }
    classes = names.stream().map(WorkloadClass::parse).toList();
    gpus = List.copyOf(models);
    isolatedRates = new double[classes.size()][gpus.size()];
    for (double[] rates : isolatedRates) {
      Arrays.fill(rates, Double.NaN);
    }
    fill(measurements);
  }

  /** Returns the table of measured pairs. */
  public static PairTable of(List<Measurement> measurements) {
    return new PairTable(measurements);
  }

  private void fill(List<Measurement> measurements) {
    Map<List<Integer>, Map<List<Integer>, List<Double>>> speeds = new LinkedHashMap<>();
    for (Measurement each : measurements) {
      int victim = classes.indexOf(each.victimClass());
      int aggressor = classes.indexOf(each.coRunnerClass());
      int gpu = gpus.indexOf(each.gpu());
      isolatedRates[victim][gpu] = each.victim().isolatedRate();
      isolatedRates[aggressor][gpu] = each.coRunner().isolatedRate();
      if (each.isMeasured()) {
        speeds
            .computeIfAbsent(
                List.of(Math.min(victim, aggressor), Math.max(victim, aggressor), gpu),
                key -> new LinkedHashMap<>())
            .computeIfAbsent(List.of(victim, aggressor, gpu), key -> new ArrayList<>())
            .add(each.retainedSpeed());
      }
    }
    speeds.values().forEach(cell -> cells.add(entries(cell)));
  }

  private static List<Entry> entries(Map<List<Integer>, List<Double>> cell) {
    List<Entry> entries = new ArrayList<>();
    cell.forEach(
        (key, values) ->
            entries.add(new Entry(key.get(0), key.get(1), key.get(2), Sample.of(values).mean())));
    return List.copyOf(entries);
  }

  /** Returns the workload classes by number. */
  public List<WorkloadClass> classes() {
    return classes;
  }

  /** Returns the number of the family of each class. */
  public int[] families() {
    List<String> names = classes.stream().map(WorkloadClass::family).distinct().toList();
    return classes.stream().mapToInt(each -> names.indexOf(each.family())).toArray();
  }

  /** Returns the GPU models by number. */
  public List<GpuModel> gpus() {
    return gpus;
  }

  /** Returns the rate of a class alone on a GPU model, or NaN. */
  public double isolatedRate(int number, int gpu) {
    return isolatedRates[number][gpu];
  }

  /** Returns the measured pairs; both directions of a pair on a GPU model are one cell. */
  public List<List<Entry>> cells() {
    return cells;
  }
}
