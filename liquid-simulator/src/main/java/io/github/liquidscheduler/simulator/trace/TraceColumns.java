package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.input.Quoted;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A mapping of CSV columns to job attributes. Attributes have the names of {@link #standard()}; a
 * file may use others. Immutable.
 */
public final class TraceColumns {

  static final String JOB_ID = "job_id";
  static final String SUBMIT = "submit_time";
  static final String START = "start_time";
  static final String END = "end_time";
  static final String DURATION = "duration";
  static final String GPUS = "num_gpu";
  static final String NODES = "num_nodes";
  static final String CPU = "num_cpu";
  static final String MEMORY = "memory_gib";
  static final String GPU_MODELS = "gpu_models";
  static final String ITERATIONS = "iterations";
  static final String MODEL = "model_name";
  static final String BATCH = "batch_size";
  static final String PRECISION = "precision";
  static final String DATASET = "dataset";
  static final String DATASET_SIZE = "dataset_size";
  static final String QUEUE = "queue";
  static final String USER = "user";
  static final String STATUS = "status";

  private static final List<String> ALL =
      List.of(
          JOB_ID,
          SUBMIT,
          START,
          END,
          DURATION,
          GPUS,
          NODES,
          CPU,
          MEMORY,
          GPU_MODELS,
          ITERATIONS,
          MODEL,
          BATCH,
          PRECISION,
          DATASET,
          DATASET_SIZE,
          QUEUE,
          USER,
          STATUS);

  private final Map<String, String> names;
  private final List<String> required;

  private TraceColumns(Map<String, String> names, List<String> required) {
    this.names = Collections.unmodifiableMap(new LinkedHashMap<>(names));
    this.required = required;
  }

  /**
   * Returns the columns of traces of one's own, each called what it tells; all but {@code
   * submit_time} and {@code num_gpu} may be missing.
   */
  public static TraceColumns standard() {
    return new TraceColumns(Map.of(), List.of(SUBMIT, GPUS)).called(List.of(), ALL);
  }

  /** Returns columns of which a file must have these, each {@code name=column}. */
  static TraceColumns required(String... columns) {
    List<String> names = Arrays.stream(columns).map(each -> each.split("=", 2)[0]).toList();
    return new TraceColumns(Map.of(), names).called(List.of(columns), List.of());
  }

  /** Returns these columns and others, each {@code name=column}, which a file may lack. */
  TraceColumns optional(String... columns) {
    return called(List.of(columns), List.of());
  }

  /**
   * Returns these columns with others in place of some; an empty column is not read.
   *
   * @param columns each {@code name=column}, such as {@code submit_time=arrival}
   * @throws IllegalArgumentException if one is not, there is no such name, or the column is empty
   *     and must be there
   */
  public TraceColumns with(List<String> columns) {
    for (String column : columns) {
      String name = requirePair(column)[0];
      if (!ALL.contains(name)) {
        throw new IllegalArgumentException(
            "a column must tell one of %s, but was to tell %s"
                .formatted(String.join(", ", ALL), Quoted.of(name)));
      }
    }
    TraceColumns changed = called(columns, List.of());
    changed.required.stream()
        .filter(name -> changed.column(name).isEmpty())
        .findFirst()
        .ifPresent(TraceColumns::refuseNone);
    return changed;
  }

  /** Returns the column of the attribute {@code name}; empty if it is not read. */
  Optional<String> column(String name) {
    return Optional.ofNullable(names.get(name)).filter(column -> !column.isEmpty());
  }

  /** Returns the columns that a file must have. */
  List<String> required() {
    return required.stream().flatMap(name -> column(name).stream()).toList();
  }

  private TraceColumns called(List<String> columns, List<String> asTold) {
    Map<String, String> changed = new LinkedHashMap<>(names);
    asTold.forEach(name -> changed.put(name, name));
    columns.stream().map(TraceColumns::requirePair).forEach(pair -> changed.put(pair[0], pair[1]));
    return new TraceColumns(changed, required);
  }

  private static String[] requirePair(String column) {
    String[] pair = column.split("=", 2);
    if (pair.length < 2) {
      throw new IllegalArgumentException(
          "columns must be named as in submit_time=arrival, but one was " + Quoted.of(column));
    }
    return new String[] {pair[0].strip(), pair[1].strip()};
  }

  private static void refuseNone(String name) {
    throw new IllegalArgumentException("a trace must have a column that tells " + name);
  }
}
