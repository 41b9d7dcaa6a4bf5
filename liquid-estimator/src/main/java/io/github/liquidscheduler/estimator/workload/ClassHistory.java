package io.github.liquidscheduler.estimator.workload;

import io.github.liquidscheduler.estimator.workload.ClassRecord.Deviations;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * What was measured of each class of workloads on each GPU model: its rate alone, how sensitive it
 * was to others, and how much others lost beside it. It travels in the model file and grows with
 * what is observed.
 *
 * <p>Not thread-safe.
 */
public final class ClassHistory {
  /** The kind of learned state that says how a class fared beside others. */
  public static final String CLASS = "class";

  /** The kind of learned state that says what predictions for a pair were off by. */
  public static final String RESIDUAL = "residual";

  private final Map<ClassOnGpu, ClassRecord> records = new LinkedHashMap<>();
  private final Map<GpuModel, Double> means = new TreeMap<>();
  private GpuShares shares = new GpuShares();
  private ClassEffects effects = ClassEffects.NONE;

  /** Creates a history in which nothing was measured. */
  public ClassHistory() {}

  /** Returns a history that goes its own way from here; O(classes). */
  public ClassHistory copy() {
    ClassHistory copy = new ClassHistory();
    copy.records.putAll(records);
    copy.means.putAll(means);
    copy.shares = shares;
    copy.effects = effects;
    return copy;
  }

  /** Sets the mean retained speed on a GPU model, against which classes are compared. */
  public void setMean(GpuModel gpu, double mean) {
    means.put(gpu, mean);
  }

  /**
   * Returns the mean retained speed on a GPU model; on one never seen, the mean over the others.
   */
  public double mean(GpuModel gpu) {
    Double mean = means.get(gpu);
    return mean != null
        ? mean
        : means.values().stream().mapToDouble(Double::doubleValue).average().orElse(0.7);
  }

  /** Returns the GPU models that a mean was set for, by name. */
  List<GpuModel> gpus() {
    return List.copyOf(means.keySet());
  }

  /** Returns what is known of a class on a GPU model; nothing at first, which is kept too. */
  ClassRecord record(WorkloadClass workload, GpuModel gpu) {
    return records.computeIfAbsent(new ClassOnGpu(workload, gpu), key -> ClassRecord.EMPTY);
  }

  private void change(WorkloadClass workload, GpuModel gpu, UnaryOperator<ClassRecord> change) {
    records.put(new ClassOnGpu(workload, gpu), change.apply(record(workload, gpu)));
  }

  /** Notes the rate of a class alone. */
  public void isolated(WorkloadClass workload, GpuModel gpu, double rate) {
    if (Double.isFinite(rate) && rate > 0) {
      change(workload, gpu, known -> known.withIsolatedRate(rate));
      shares.isolated(workload, gpu, rate);
    }
  }

  /** Returns what part of an iteration keeps the GPU busy, or NaN if its family is little known. */
  double gpuShare(WorkloadClass workload, GpuModel gpu, double rate) {
    return shares.of(workload, gpu, rate);
  }

  /** Sets what was learned of how classes affect each other. */
  public void setEffects(ClassEffects effects) {
    this.effects = effects;
  }

  /** Returns what was learned of how classes affect each other. */
  ClassEffects effects() {
    return effects;
  }

  /** Notes the retained speed of a victim beside an aggressor. */
  public void colocated(
      WorkloadClass victim, WorkloadClass aggressor, GpuModel gpu, double retainedSpeed) {
    double deviation = retainedSpeed - mean(gpu);
    change(
        victim,
        gpu,
        known -> known.withLearned(known.asVictim().plus(deviation), known.asAggressor()));
    change(
        aggressor,
        gpu,
        known -> known.withLearned(known.asVictim(), known.asAggressor().plus(deviation)));
  }

  /** Notes by how much the prediction for a pair was off. */
  public void predictionError(
      WorkloadClass victim, WorkloadClass aggressor, GpuModel gpu, double error) {
    change(
        victim,
        gpu,
        known ->
            known.withResidual(
                aggressor,
                Objects.requireNonNullElse(known.residual(aggressor), Residual.NONE).plus(error)));
  }

  /**
   * Returns what was noted since this history was made or read, but for rates alone, by the names
   * of the classes.
   */
  public List<LearnedState> save() {
    List<LearnedState> values = new ArrayList<>();
    for (ClassOnGpu key : records.keySet().stream().sorted().toList()) {
      ClassRecord known = record(key.workload(), key.gpu());
      String name = key.workload().toString();
      String gpu = key.gpu().name();
      if (known.hasLearned()) {
        values.add(new LearnedState(CLASS, List.of(name, gpu), known.toNumbers()));
      }
      known
          .residuals()
          .forEach(
              (other, residual) ->
                  values.add(
                      new LearnedState(
                          RESIDUAL, List.of(name, other.toString(), gpu), residual.toNumbers())));
    }
    return values;
  }

  /**
   * Takes in what a history made alike has noted.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public void restoreState(LearnedState saved) {
    if (saved.kind().equals(CLASS)) {
      List<Double> numbers = saved.requires(2, 4).numbers();
      Deviations victim = new Deviations(numbers.get(0), numbers.get(1).intValue());
      Deviations aggressor = new Deviations(numbers.get(2), numbers.get(3).intValue());
      change(workload(saved, 0), gpu(saved), known -> known.withLearned(victim, aggressor));
    } else {
      Residual residual = new Residual(saved.requires(3, 2).numbers().get(0), saved.count(1));
      WorkloadClass other = workload(saved, 1);
      change(workload(saved, 0), gpu(saved), known -> known.withResidual(other, residual));
    }
  }

  private static WorkloadClass workload(LearnedState saved, int name) {
    return WorkloadClass.parse(saved.names().get(name));
  }

  private static GpuModel gpu(LearnedState saved) {
    return GpuModel.of(saved.names().getLast());
  }

  /** Returns this history as text, for a model file. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    means.forEach((gpu, mean) -> text.append("gpu|" + gpu + "|" + mean + "\n"));
    records.forEach(
        (key, known) -> {
          text.append(key.workload() + "|" + key.gpu() + "|" + known.isolatedRate());
          for (Deviations each : List.of(known.asVictim(), known.asAggressor())) {
            text.append("|" + each.sum() + "|" + each.count());
          }
          text.append('\n');
        });
    return text.append(effects.toText()).toString();
  }

  /**
   * Returns the history that {@link #toText()} wrote.
   *
   * @throws IllegalArgumentException if a line is malformed
   */
  public static ClassHistory fromText(String text) {
    ClassHistory history = new ClassHistory();
    Map<Boolean, List<String>> lines =
        text.lines()
            .collect(Collectors.partitioningBy(line -> line.startsWith(ClassEffects.PREFIX)));
    lines.getOrDefault(false, List.of()).forEach(history::addLine);
    history.setEffects(ClassEffects.fromText(lines.getOrDefault(true, List.of())));
    return history;
  }

  private void addLine(String line) {
    String[] parts = line.split("\\|", -1);
    try {
      if (parts.length == 3) {
        setMean(GpuModel.of(parts[1]), Double.parseDouble(parts[2]));
        return;
      }
      WorkloadClass workload = WorkloadClass.parse(parts[0]);
      GpuModel gpu = GpuModel.of(parts[1]);
      isolated(workload, gpu, Double.parseDouble(parts[2]));
      ClassRecord known = record(workload, gpu);
      records.put(
          new ClassOnGpu(workload, gpu),
          new ClassRecord(
              known.isolatedRate(), deviations(parts, 3), deviations(parts, 5), false, Map.of()));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("a line of class history is malformed: " + line, e);
    }
  }

  private static Deviations deviations(String[] parts, int first) {
    return new Deviations(Double.parseDouble(parts[first]), Integer.parseInt(parts[first + 1]));
  }
}
