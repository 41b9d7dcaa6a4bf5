package io.github.liquidscheduler.training.interference;

import io.github.liquidscheduler.estimator.workload.ClassEffects;
import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.estimator.workload.ClassOnGpu;
import io.github.liquidscheduler.estimator.workload.ClassPoint;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.statistics.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Fits the effects of classes on each other: what a victim retained is the GPU model's median, the
 * victim's effect and the aggressor's, and noise. The effects come from a Gaussian process; large
 * errors count by their size and not its square, since the median is wanted.
 */
final class EffectsFit {
  /** What counts as different in the logarithm of the processes on a GPU, the last feature. */
  private static final ClassEffects.Scale PROCESSES = new ClassEffects.Scale(0, 0.5);

  private final List<Measurement> measurements;
  private final ClassHistory history;
  private final Map<ClassOnGpu, Integer> numbers = new LinkedHashMap<>();
  private final List<double[]> features = new ArrayList<>();
  private final SortedMap<GpuModel, ClassEffects.Level> levels = new TreeMap<>();
  private final int[] victims;
  private final int[] aggressors;
  private final double[] speeds;

  private EffectsFit(List<Measurement> measurements, ClassHistory history) {
    this.measurements = measurements;
    this.history = history;
    setLevels();
    victims = new int[measurements.size()];
    aggressors = new int[measurements.size()];
    speeds = new double[measurements.size()];
    for (int i = 0; i < speeds.length; i++) {
      Measurement each = measurements.get(i);
      victims[i] = number(each.victimClass(), each.victim(), each.gpu());
      aggressors[i] = number(each.coRunnerClass(), each.coRunner(), each.gpu());
      ClassEffects.Level level = levels.get(each.gpu());
      speeds[i] = level == null ? 0 : (each.retainedSpeed() - level.median()) / level.deviation();
    }
  }

  /** Returns the effects of what was measured. */
  static ClassEffects of(List<Measurement> measurements, ClassHistory history) {
    return measurements.isEmpty()
        ? new ClassEffects(Map.of(), List.of(), List.of())
        : new EffectsFit(measurements, history).fitted();
  }

  private int number(WorkloadClass workload, ColocationProfile profile, GpuModel gpu) {
    ClassOnGpu key = new ClassOnGpu(workload, gpu);
    Integer number = numbers.get(key);
    if (number == null) {
      number = numbers.size();
      numbers.put(key, number);
      features.add(ClassEffects.features(profile, gpu, history));
    }
    return number;
  }

  private void setLevels() {
    SpeedExamples.speeds(measurements)
        .forEach(
            (gpu, values) ->
                levels.put(
                    gpu,
                    new ClassEffects.Level(Sample.of(values).median(), scale(values).scale())));
  }

  private ClassEffects fitted() {
    List<ClassEffects.Scale> scales = scales();
    List<ClassPoint> points = new ArrayList<>();
    for (ClassOnGpu key : numbers.keySet()) {
      List<Double> scaled = ClassEffects.scaled(scales, features.get(points.size()));
      points.add(new ClassPoint(key.workload(), key.gpu(), scaled));
    }
    double[] weights = new EffectWeights(victims, aggressors, speeds).solved(points);
    List<ClassEffects.Known> known = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      known.add(
          new ClassEffects.Known(
              points.get(i),
              weights[i],
              weights[points.size() + i],
              medianRetained(victims, i),
              medianRetained(aggressors, i)));
    }
    return new ClassEffects(levels, scales, known);
  }

  private List<ClassEffects.Scale> scales() {
    List<ClassEffects.Scale> scales = new ArrayList<>();
    for (int column = 0; column < features.getFirst().length - 1; column++) {
      int number = column;
      List<Double> values =
          features.stream().map(each -> each[number]).filter(Double::isFinite).toList();
      scales.add(scale(values));
    }
    scales.add(PROCESSES);
    return scales;
  }

  private double medianRetained(int[] role, int number) {
    return Sample.of(
            IntStream.range(0, role.length)
                .filter(i -> role[i] == number)
                .mapToDouble(i -> measurements.get(i).retainedSpeed()))
        .median();
  }

  private static ClassEffects.Scale scale(List<Double> values) {
    Sample sample = Sample.of(values);
    double variance = sample.variance();
    return values.isEmpty()
        ? new ClassEffects.Scale(0, 1)
        : new ClassEffects.Scale(sample.mean(), variance < 1e-12 ? 1 : Math.sqrt(variance));
  }
}
