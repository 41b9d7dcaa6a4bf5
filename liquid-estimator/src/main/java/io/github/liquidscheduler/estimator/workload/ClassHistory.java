package io.github.liquidscheduler.estimator.workload;

import io.github.liquidscheduler.estimator.workload.ClassRecord.Deviations;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The measurements of each class of workloads on each GPU model: its rate alone, how sensitive it
 * was to others, and how much others lost beside it. It travels in the model file; what a cluster
 * watches is kept apart.
 *
 * <p>Not thread-safe.
 */
public final class ClassHistory {
  private final Map<ClassOnGpu, ClassRecord> records = new LinkedHashMap<>();
  private final Map<GpuModel, Double> means = new TreeMap<>();
  private final Set<String> families = new LinkedHashSet<>();
  private GpuShares shares = new GpuShares();
  private ClassEffects effects = ClassEffects.NONE;

  /** Creates a history in which nothing was measured. */
  public ClassHistory() {}

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

  /** Returns the record of a class on a GPU model; empty at first. */
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

  /**
   * Returns the part of an iteration that keeps the GPU busy; NaN if its family is little known.
   */
  double gpuShare(WorkloadClass workload, GpuModel gpu, double rate) {
    return shares.of(workload, gpu, rate);
  }

  /** Sets what was learned of how classes affect each other. */
  public void setEffects(ClassEffects effects) {
    this.effects = effects;
  }

  /** Returns the learned effects of classes on each other. */
  ClassEffects effects() {
    return effects;
  }

  /** Notes the retained speed of a victim beside an aggressor. */
  public void colocated(
      WorkloadClass victim, WorkloadClass aggressor, GpuModel gpu, double retainedSpeed) {
    double deviation = retainedSpeed - mean(gpu);
    families.add(victim.family());
    families.add(aggressor.family());
    change(
        victim,
        gpu,
        known -> known.withMeasured(known.asVictim().plus(deviation), known.asAggressor()));
    change(
        aggressor,
        gpu,
        known -> known.withMeasured(known.asVictim(), known.asAggressor().plus(deviation)));
  }

  /** Returns true if a class of this family was measured beside others anywhere. */
  boolean knowsFamily(String family) {
    return families.contains(family);
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
          known.withMeasured(deviations(parts, 3), deviations(parts, 5)));
      families.add(workload.family());
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("a line of class history is malformed: " + line, e);
    }
  }

  private static Deviations deviations(String[] parts, int first) {
    return new Deviations(Double.parseDouble(parts[first]), Integer.parseInt(parts[first + 1]));
  }
}
