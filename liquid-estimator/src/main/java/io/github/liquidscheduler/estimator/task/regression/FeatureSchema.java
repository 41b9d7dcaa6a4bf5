package io.github.liquidscheduler.estimator.task.regression;

import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.task.prior.GpuSpecification;
import io.github.liquidscheduler.estimator.task.prior.ModelFamily;
import io.github.liquidscheduler.estimator.task.prior.TaskFacts;
import io.github.liquidscheduler.estimator.workload.ComparableName;
import io.github.liquidscheduler.estimator.workload.FiniteNumber;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * The columns that a task is described by, and how a profile becomes a row of them. A few numbers
 * are always there; every category has a column of its own that is 1 or 0 (never a hash, whose
 * order would mean nothing), named like {@code framework=pytorch}; every numeric hyper-parameter
 * has one like {@code hyperparameter:layers}. A category that no column stands for leaves them all
 * 0. Immutable.
 */
public final class FeatureSchema {
  /** The column that holds the logarithm of the analytic memory, in bytes. */
  public static final String PRIOR_MEMORY = "log_prior_memory";

  /** The column that holds the logarithm of one plus the analytic time, in seconds. */
  public static final String PRIOR_SECONDS = "log_prior_seconds";

  /** The column that holds the logarithm of the memory that parameters and one batch need. */
  public static final String NEEDED_MEMORY = "log_needed_memory";

  /** What the columns of families begin with. */
  public static final String FAMILY = "family=";

  private static final Pattern SEPARATORS = Pattern.compile("[;\\s]");
  private static final String NUMBER = "hyperparameter:";

  private static final List<String> NUMBERS =
      List.of(
          PRIOR_MEMORY,
          PRIOR_SECONDS,
          NEEDED_MEMORY,
          "log_batch",
          "log_parameters",
          "log_kept_elements",
          "log_forward_macs",
          "log_gpu_memory",
          "log_gpu_teraflops",
          "log_gpu_bandwidth",
          "gpus_per_task",
          "log_workers",
          "log_parameter_servers",
          "is_parameter_server",
          "bytes_per_number",
          "has_table_entry");

  private final List<Feature> features;
  private final Map<String, Integer> columns = new LinkedHashMap<>();

  private FeatureSchema(List<Feature> features) {
    this.features = List.copyOf(features);
    features.forEach(feature -> columns.put(feature.name(), columns.size()));
  }

  /**
   * Returns the schema with one column for each of these categories and numbers besides the usual.
   */
  public static FeatureSchema with(List<String> further) {
    List<Feature> features = new ArrayList<>();
    NUMBERS.forEach(name -> features.add(Feature.plain(name, "1")));
    further.forEach(name -> features.add(Feature.plain(name, "1")));
    return new FeatureSchema(features);
  }

  /**
   * Returns the schema of a model with these columns.
   *
   * @throws IllegalArgumentException if the model does not begin with the columns that are always
   *     there, or has an unknown one
   */
  static FeatureSchema of(List<Feature> features, String owner) {
    List<String> names = features.stream().map(Feature::name).toList();
    if (names.size() < NUMBERS.size() || !names.subList(0, NUMBERS.size()).equals(NUMBERS)) {
      throw new IllegalArgumentException(
          "the model must begin with the features %s, but has %s, in %s"
              .formatted(NUMBERS, names, owner));
    }
    for (String name : names.subList(NUMBERS.size(), names.size())) {
      if (!name.contains("=") && !name.startsWith(NUMBER)) {
        throw new IllegalArgumentException("unknown feature '" + name + "', in " + owner);
      }
    }
    return new FeatureSchema(features);
  }

  /** Returns the columns in order. */
  public List<Feature> features() {
    return features;
  }

  /** Returns the number of columns. */
  public int width() {
    return features.size();
  }

  /**
   * Returns the place of the column {@code name}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public int indexOf(String name) {
    Integer index = columns.get(name);
    if (index == null) {
      throw new IllegalArgumentException("there is no feature '" + name + "'");
    }
    return index;
  }

  /** Returns true if the family of the task is one that the model was trained on. */
  public boolean knowsFamily(TaskProfile task) {
    return columns.containsKey(FAMILY + ComparableName.of(task.family()));
  }

  /** Returns the row of a task. */
  public float[] row(TaskProfile task) {
    float[] row = new float[width()];
    fill(row, task, new TaskFacts(task));
    return row;
  }

  /**
   * Returns the names of the category columns that the task would fill, and of the columns of its
   * numeric hyper-parameters.
   */
  public static List<String> namesOf(TaskProfile task) {
    List<String> names = new ArrayList<>(categories(task, new TaskFacts(task)));
    task.hyperparameters()
        .forEach(
            (key, value) -> {
              if (FiniteNumber.of(value).isPresent()) {
                names.add(word(NUMBER + key));
              }
            });
    return names;
  }

  void fill(float[] row, TaskProfile task, TaskFacts facts) {
    fillNumbers(row, task, facts);
    for (String name : categories(task, facts)) {
      set(row, name, 1);
    }
    task.hyperparameters()
        .forEach(
            (key, value) -> {
              OptionalDouble number = FiniteNumber.of(value);
              number.ifPresent(present -> set(row, word(NUMBER + key), signedLog(present)));
            });
  }

  private static void fillNumbers(float[] row, TaskProfile task, TaskFacts facts) {
    int at = 0;
    row[at++] = log(facts.priorMemory());
    row[at++] = log(facts.priorSeconds());
    row[at++] = log(facts.neededMemory());
    row[at++] = log(facts.batchPerGpu());
    row[at++] = log(facts.parameters());
    row[at++] = log(facts.keptElements());
    row[at++] = log(facts.forwardMacs());
    row[at++] = log(facts.gpu().map(GpuSpecification::memoryBytes).orElse(0.0));
    row[at++] = log(facts.gpu().map(GpuSpecification::teraflops).orElse(0.0));
    row[at++] = log(facts.gpu().map(GpuSpecification::bandwidth).orElse(0.0));
    row[at++] = task.gpusPerTask();
    row[at++] = log(task.workers());
    row[at++] = log(task.parameterServers());
    row[at++] = facts.isParameterServer() ? 1 : 0;
    row[at++] = (float) facts.bytesPerNumber();
    row[at] = facts.family().isPresent() ? 1 : 0;
  }

  private static List<String> categories(TaskProfile task, TaskFacts facts) {
    List<String> names = new ArrayList<>();
    add(names, "source", task.source());
    add(names, "family", ComparableName.of(task.family()));
    add(names, "kind", facts.family().map(ModelFamily::kind).orElse("unknown"));
    add(names, "framework", task.framework());
    add(names, "dataset", task.dataset());
    add(names, "precision", task.precision());
    add(names, "gpu", facts.gpu().map(GpuSpecification::name).orElse(task.gpu()));
    task.hyperparameters()
        .forEach(
            (key, value) -> {
              if (FiniteNumber.of(value).isEmpty()) {
                add(names, NUMBER + key, value);
              }
            });
    return names;
  }

  private static void add(List<String> names, String what, String value) {
    if (!value.isBlank()) {
      names.add(word(what + "=" + value.toLowerCase(Locale.ROOT)));
    }
  }

  private static String word(String name) {
    return SEPARATORS.matcher(name).replaceAll("_");
  }

  private void set(float[] row, String name, float value) {
    Integer column = columns.get(name);
    if (column != null) {
      row[column] = value;
    }
  }

  /** Zero stays zero, so that what is not known is 0 as well. */
  private static float log(double value) {
    return (float) Math.log1p(value);
  }

  private static float signedLog(double value) {
    return (float) Math.copySign(Math.log1p(Math.abs(value)), value);
  }
}
