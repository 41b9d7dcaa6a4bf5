package io.github.liquidscheduler.training.interference;

import io.github.liquidscheduler.estimator.workload.ClassEffects;
import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.estimator.workload.ClassPoint;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ojalgo.matrix.decomposition.LU;
import org.ojalgo.matrix.store.MatrixStore;
import org.ojalgo.matrix.store.R064Store;

/**
 * Fits the effects of classes on each other: what a victim retained is the GPU model's median, the
 * victim's effect and the aggressor's, and noise. The effects come from a Gaussian process; large
 * errors count by their size and not its square, since the median is wanted.
 */
final class EffectsFit {
  private static final double NOISE = 0.15;
  private static final int ROUNDS = 6;
  private static final double LEAST_ERROR = 0.5;

  /** What counts as different in the logarithm of the processes on a GPU, the last feature. */
  private static final ClassEffects.Scale PROCESSES = new ClassEffects.Scale(0, 0.5);

  private record Key(WorkloadClass workload, GpuModel gpu) {}

  private final List<Measurement> measurements;
  private final ClassHistory history;
  private final Map<Key, Integer> numbers = new LinkedHashMap<>();
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
    Key key = new Key(workload, gpu);
    Integer number = numbers.get(key);
    if (number == null) {
      number = numbers.size();
      numbers.put(key, number);
      features.add(ClassEffects.features(profile, gpu, history));
    }
    return number;
  }

  private void setLevels() {
    SortedMap<GpuModel, List<Double>> seen = new TreeMap<>();
    for (Measurement each : measurements) {
      seen.computeIfAbsent(each.gpu(), gpu -> new ArrayList<>()).add(each.retainedSpeed());
    }
    seen.forEach(
        (gpu, values) ->
            levels.put(gpu, new ClassEffects.Level(median(values), scale(values).scale())));
  }

  private ClassEffects fitted() {
    List<ClassEffects.Scale> scales = scales();
    List<ClassPoint> points = new ArrayList<>();
    for (Key key : numbers.keySet()) {
      List<Double> scaled = ClassEffects.scaled(scales, features.get(points.size()));
      points.add(new ClassPoint(key.workload(), key.gpu(), scaled));
    }
    double[] weights = weights(covariances(points));
    List<ClassEffects.Known> known = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      known.add(
          new ClassEffects.Known(
              points.get(i),
              weights[i],
              weights[points.size() + i],
              median(retained(victims, i)),
              median(retained(aggressors, i))));
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

  private static double[][] covariances(List<ClassPoint> points) {
    double[][] covariances = new double[points.size()][points.size()];
    for (int i = 0; i < covariances.length; i++) {
      for (int j = 0; j < covariances.length; j++) {
        covariances[i][j] = points.get(i).covariance(points.get(j));
      }
    }
    return covariances;
  }

  /** Returns the weights of all classes as victims, then as aggressors. */
  private double[] weights(double[][] covariances) {
    double[] trust = new double[speeds.length];
    Arrays.fill(trust, 1 / NOISE);
    double[] weights = new double[2 * covariances.length];
    for (int round = 0; round <= ROUNDS; round++) {
      weights = weights(covariances, trust);
      double[] effects = effects(covariances, weights);
      for (int i = 0; i < trust.length; i++) {
        double off = speeds[i] - effects[victims[i]] - effects[covariances.length + aggressors[i]];
        trust[i] = 1 / (NOISE * Math.max(LEAST_ERROR, Math.abs(off) / Math.sqrt(NOISE)));
      }
    }
    return weights;
  }

  /** Solves {@code (A C + 1) w = b}, where A and b count what each class met, as it is trusted. */
  private double[] weights(double[][] covariances, double[] trust) {
    int classes = covariances.length;
    R064Store met = R064Store.FACTORY.make(2 * classes, 2 * classes);
    R064Store sums = R064Store.FACTORY.make(2 * classes, 1);
    for (int i = 0; i < trust.length; i++) {
      int victim = victims[i];
      int aggressor = classes + aggressors[i];
      met.add(victim, victim, trust[i]);
      met.add(aggressor, aggressor, trust[i]);
      met.add(victim, aggressor, trust[i]);
      met.add(aggressor, victim, trust[i]);
      sums.add(victim, 0, trust[i] * speeds[i]);
      sums.add(aggressor, 0, trust[i] * speeds[i]);
    }
    R064Store prior = R064Store.FACTORY.make(2 * classes, 2 * classes);
    for (int i = 0; i < classes; i++) {
      for (int j = 0; j < classes; j++) {
        prior.set(i, j, covariances[i][j]);
        prior.set(classes + i, classes + j, covariances[i][j]);
      }
    }
    R064Store system = R064Store.FACTORY.copy(met.multiply(prior));
    for (int i = 0; i < 2 * classes; i++) {
      system.add(i, i, 1.0);
    }
    LU<Double> decomposition = LU.R064.make(system);
    decomposition.decompose(system);
    MatrixStore<Double> solution = decomposition.getSolution(sums);
    double[] weights = new double[2 * classes];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = solution.doubleValue(i, 0);
    }
    return weights;
  }

  private static double[] effects(double[][] covariances, double[] weights) {
    double[] effects = new double[weights.length];
    int classes = covariances.length;
    for (int i = 0; i < classes; i++) {
      for (int j = 0; j < classes; j++) {
        effects[i] += covariances[i][j] * weights[j];
        effects[classes + i] += covariances[i][j] * weights[classes + j];
      }
    }
    return effects;
  }

  private List<Double> retained(int[] role, int number) {
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < role.length; i++) {
      if (role[i] == number) {
        values.add(measurements.get(i).retainedSpeed());
      }
    }
    return values;
  }

  /** Returns the deviation of values around their mean; 1 if there is none. */
  private static ClassEffects.Scale scale(List<Double> values) {
    double mean = values.stream().mapToDouble(each -> each).average().orElse(0);
    double square =
        values.stream().mapToDouble(each -> (each - mean) * (each - mean)).average().orElse(0);
    return new ClassEffects.Scale(mean, square < 1e-12 ? 1 : Math.sqrt(square));
  }

  private static double median(List<Double> values) {
    if (values.isEmpty()) {
      return Double.NaN;
    }
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }
}
