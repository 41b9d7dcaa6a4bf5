package io.github.liquidscheduler.estimator.workload;

import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The losses of each class of workloads beside others, and of others beside it, as two numbers per
 * GPU model that add up; for a class that was never seen beside others, what classes that resemble
 * it suggest. It travels with the {@link ClassHistory} and does not change.
 */
public final class ClassEffects {
  static final String PREFIX = "effect|";

  /** What is known of no class. */
  static final ClassEffects NONE = new ClassEffects(Map.of(), List.of(), List.of());

  /**
   * What is usual on a GPU model.
   *
   * @param median the median retained speed
   * @param deviation the standard deviation
   */
  public record Level(double median, double deviation) {}

  /**
   * The mean and the scale of a feature.
   *
   * @param mean of what is known
   * @param scale what counts as different
   */
  public record Scale(double mean, double scale) {
    private static final double LIMIT = 4;

    /** Returns a feature in units of what counts as different, 0 if it is unknown. */
    public double applied(double value) {
      double scaled = (value - mean) / scale;
      return Double.isNaN(scaled) ? 0 : Math.clamp(scaled, -LIMIT, LIMIT);
    }
  }

  /**
   * What was learned of one class on one GPU model. The weights are those of a Gaussian process; a
   * median is NaN where the class never had that role.
   *
   * @param point the class
   * @param victimWeight its weight in what victims lose
   * @param aggressorWeight its weight in what aggressors take
   * @param victimMedian the median speed that it retained
   * @param aggressorMedian the median speed that others retained beside it
   */
  public record Known(
      ClassPoint point,
      double victimWeight,
      double aggressorWeight,
      double victimMedian,
      double aggressorMedian) {}

  /** The effects of one job: two speeds to add, and two medians or NaN. */
  record Effect(double asVictim, double asAggressor, double victimMedian, double aggressorMedian) {}

  private final SortedMap<GpuModel, Level> levels;
  private final List<Scale> scales;
  private final List<Known> known;
  private final Map<String, Known> byName = new HashMap<>();

  /** Creates the effects that were learned. */
  public ClassEffects(Map<GpuModel, Level> levels, List<Scale> scales, List<Known> known) {
    this.levels = new TreeMap<>(levels);
    this.scales = List.copyOf(scales);
    this.known = List.copyOf(known);
    known.forEach(each -> byName.put(name(each.point().workload(), each.point().gpu()), each));
  }

  /**
   * Returns the features by which classes are compared, unknown numbers as NaN: the logarithm of
   * the rate, the GPU's share of an iteration, the gains from GPU model to GPU model, the load on
   * the host, and the processes that use the GPU.
   */
  public static double[] features(ColocationProfile profile, GpuModel gpu, ClassHistory history) {
    return new JobVector(profile, gpu, history).features();
  }

  /** Returns the usual speed on a GPU model, or what a history says if none is known. */
  double usual(GpuModel gpu, ClassHistory history) {
    return levels.isEmpty() ? history.mean(gpu) : level(gpu).median();
  }

  /**
   * Returns the effects of a class with these features; on a GPU model that was never measured,
   * what they are on the others, on average.
   */
  Effect of(WorkloadClass workload, GpuModel gpu, double[] features) {
    if (levels.isEmpty()) {
      return new Effect(0, 0, Double.NaN, Double.NaN);
    }
    if (levels.containsKey(gpu)) {
      return measured(workload, gpu, features);
    }
    return average(
        levels.keySet().stream().map(model -> measured(workload, model, features)).toList());
  }

  private static Effect average(List<Effect> effects) {
    return new Effect(
        average(effects, Effect::asVictim),
        average(effects, Effect::asAggressor),
        average(effects, Effect::victimMedian),
        average(effects, Effect::aggressorMedian));
  }

  private static double average(List<Effect> effects, ToDoubleFunction<Effect> part) {
    return effects.stream().mapToDouble(part).filter(Double::isFinite).average().orElse(Double.NaN);
  }

  private Effect measured(WorkloadClass workload, GpuModel gpu, double[] features) {
    ClassPoint point = new ClassPoint(workload, gpu, scaled(scales, features));
    double victim = 0;
    double aggressor = 0;
    for (Known each : known) {
      double covariance = point.covariance(each.point());
      victim += covariance * each.victimWeight();
      aggressor += covariance * each.aggressorWeight();
    }
    double deviation = level(gpu).deviation();
    Known self = byName.get(name(workload, gpu));
    return new Effect(
        deviation * victim,
        deviation * aggressor,
        self == null ? Double.NaN : self.victimMedian(),
        self == null ? Double.NaN : self.aggressorMedian());
  }

  /** Returns features in units of what counts as different. */
  public static List<Double> scaled(List<Scale> scales, double[] features) {
    List<Double> scaled = new ArrayList<>();
    for (int i = 0; i < features.length; i++) {
      scaled.add(scales.get(i).applied(features[i]));
    }
    return scaled;
  }

  private Level level(GpuModel gpu) {
    Level level = levels.get(gpu);
    return level != null
        ? level
        : new Level(
            levels.values().stream().mapToDouble(Level::median).average().orElseThrow(),
            levels.values().stream().mapToDouble(Level::deviation).average().orElseThrow());
  }

  private static String name(WorkloadClass workload, GpuModel gpu) {
    return workload + "|" + gpu.name();
  }

  /** Returns these effects as lines that begin alike. */
  String toText() {
    StringBuilder text = new StringBuilder();
    levels.forEach(
        (gpu, level) -> append(text, "level", gpu.name(), level.median(), level.deviation()));
    scales.forEach(scale -> append(text, "scale", scale.mean(), scale.scale()));
    for (Known each : known) {
      List<Object> parts = new ArrayList<>();
      parts.addAll(List.of("class", each.point().workload(), each.point().gpu().name()));
      parts.addAll(List.of(each.victimWeight(), each.aggressorWeight()));
      parts.addAll(List.of(each.victimMedian(), each.aggressorMedian()));
      parts.addAll(each.point().features());
      append(text, parts.toArray());
    }
    return text.toString();
  }

  private static void append(StringBuilder text, Object... parts) {
    List<String> words = Arrays.stream(parts).map(Object::toString).toList();
    text.append(PREFIX).append(String.join("|", words)).append('\n');
  }

  /**
   * Returns the effects that {@link #toText()} wrote.
   *
   * @throws IllegalArgumentException if a line is malformed
   */
  static ClassEffects fromText(List<String> lines) {
    SortedMap<GpuModel, Level> levels = new TreeMap<>();
    List<Scale> scales = new ArrayList<>();
    List<Known> known = new ArrayList<>();
    for (String line : lines) {
      String[] parts = line.split("\\|", -1);
      try {
        switch (parts[1]) {
          case "level" ->
              levels.put(GpuModel.of(parts[2]), new Level(number(parts, 3), number(parts, 4)));
          case "scale" -> scales.add(new Scale(number(parts, 2), number(parts, 3)));
          default -> known.add(known(parts));
        }
      } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
        throw new IllegalArgumentException("a line of class effects is malformed: " + line, e);
      }
    }
    return new ClassEffects(levels, scales, known);
  }

  /**
   * Checks that classes are compared by {@code count} numbers.
   *
   * @throws IllegalArgumentException if they are not
   */
  void requireFeatures(int count) {
    boolean isTold =
        scales.size() == count
            && known.stream().allMatch(each -> each.point().features().size() == count);
    if (!levels.isEmpty() && !isTold) {
      throw new IllegalArgumentException(
          "class effects must tell %d features, of each class and of their scales"
              .formatted(count));
    }
  }

  private static Known known(String[] parts) {
    List<Double> features = new ArrayList<>();
    for (int i = 8; i < parts.length; i++) {
      features.add(number(parts, i));
    }
    ClassPoint point =
        new ClassPoint(WorkloadClass.parse(parts[2]), GpuModel.of(parts[3]), features);
    return new Known(point, number(parts, 4), number(parts, 5), number(parts, 6), number(parts, 7));
  }

  private static double number(String[] parts, int index) {
    return Double.parseDouble(parts[index]);
  }
}
