package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.training.table.CsvRow;
import io.github.liquidscheduler.training.table.CsvTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table of tasks and what they were measured to use, as comma-separated values with a header. An
 * empty cell is a value that is not known; columns beyond the documented ones are kept but not
 * read.
 */
public record ResourceCsv(CsvTable table, List<ResourceSample> samples) {
  /** The columns that describe the task, in the documented order. */
  public static final List<String> TASK_COLUMNS =
      List.of(
          "source",
          "family",
          "framework",
          "dataset",
          "batch",
          "precision",
          "gpu",
          "gpus_per_task",
          "workers",
          "parameter_servers",
          "role",
          "parameters",
          "hyperparameters");

  private static final String PUBLISHED = "published-figures.csv";

  /** Copies the list. */
  public ResourceCsv {
    samples = List.copyOf(samples);
  }

  /** Returns all documented columns: those of the task, then the targets. */
  public static List<String> columns() {
    return Stream.concat(
            TASK_COLUMNS.stream(),
            Arrays.stream(ResourceTarget.values()).map(ResourceTarget::column))
        .toList();
  }

  /**
   * Reads a table.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if the file, a row or a cell does not keep the rules; the
   *     message names the file, the line and the column
   */
  public static ResourceCsv read(Path file) throws IOException {
    return of(CsvTable.read(file), file.toString());
  }

  /** Returns the published measurements that the shipped model was trained on. */
  public static ResourceCsv published() {
    InputStream resource =
        Objects.requireNonNull(ResourceCsv.class.getResourceAsStream(PUBLISHED), PUBLISHED);
    try (Reader reader = new InputStreamReader(resource, StandardCharsets.UTF_8)) {
      return of(CsvTable.read(reader, PUBLISHED), PUBLISHED);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ResourceCsv of(CsvTable table, String owner) {
    if (!table.header().contains("family")) {
      throw new IllegalArgumentException(
          "a table of resource needs must have the column 'family', but has %s, in %s line 1"
              .formatted(table.header(), owner));
    }
    return new ResourceCsv(table, table.rows().stream().map(ResourceCsv::sample).toList());
  }

  /** Writes samples with all documented columns. */
  public static void write(Path file, List<ResourceSample> samples) throws IOException {
    CsvTable.write(file, columns(), samples.stream().map(ResourceCsv::cells).toList());
  }

  static List<String> cells(ResourceSample sample) {
    TaskProfile task = sample.task();
    List<String> cells =
        new ArrayList<>(
            List.of(
                task.source(),
                task.family(),
                task.framework(),
                task.dataset(),
                task.batch().isPresent() ? Integer.toString(task.batch().getAsInt()) : "",
                task.precision(),
                task.gpu(),
                Integer.toString(task.gpusPerTask()),
                Integer.toString(task.workers()),
                Integer.toString(task.parameterServers()),
                task.role(),
                text(task.parameters()),
                task.hyperparameters().entrySet().stream()
                    .map(entry -> entry.getKey() + "=" + entry.getValue())
                    .collect(Collectors.joining(";"))));
    for (ResourceTarget target : ResourceTarget.values()) {
      cells.add(text(sample.value(target)));
    }
    return cells;
  }

  private static String text(OptionalDouble value) {
    if (value.isEmpty()) {
      return "";
    }
    double number = value.getAsDouble();
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString((long) number)
        : Double.toString(number);
  }

  private static ResourceSample sample(CsvRow row) {
    Map<ResourceTarget, Double> values = new EnumMap<>(ResourceTarget.class);
    for (ResourceTarget target : ResourceTarget.values()) {
      row.number(target.column())
          .ifPresent(
              value -> {
                if (!target.accepts(value)) {
                  throw row.refusal(
                      target.column(), target.isFraction() ? "from 0 to 1" : "not negative");
                }
                values.put(target, value);
              });
    }
    return new ResourceSample(task(row), values);
  }

  private static TaskProfile task(CsvRow row) {
    TaskProfile.Builder task =
        TaskProfile.builder(workload(row))
            .gpu(row.text("gpu"))
            .gpusPerTask(row.whole("gpus_per_task", 1, 0))
            .tasks(row.whole("workers", 1, 0), row.whole("parameter_servers", 0, 0));
    row.number("parameters")
        .ifPresent(
            value -> {
              if (value <= 0) {
                throw row.refusal("parameters", "positive");
              }
              task.parameters(value);
            });
    if (!row.text("source").isEmpty()) {
      task.source(row.text("source"));
    }
    String role = row.text("role");
    return switch (role) {
      case "" -> task.build();
      case TaskProfile.WORKER, TaskProfile.PARAMETER_SERVER -> task.role(role).build();
      default -> throw row.refusal("role", "'worker' or 'ps'");
    };
  }

  private static Workload workload(CsvRow row) {
    Workload.Builder workload =
        Workload.builder(row.stated("family"))
            .framework(row.text("framework"))
            .dataset(row.text("dataset"))
            .precision(row.text("precision"));
    int batch = row.whole("batch", 0, 1);
    if (batch > 0) {
      workload.batchSize(batch);
    }
    String hyperparameters = row.text("hyperparameters");
    for (String part : hyperparameters.isEmpty() ? new String[0] : hyperparameters.split(";", -1)) {
      int equals = part.indexOf('=');
      if (equals < 1) {
        throw row.refusal("hyperparameters", "key=value;key=value");
      }
      workload.hyperparameter(
          part.substring(0, equals).strip(), part.substring(equals + 1).strip());
    }
    return workload.build();
  }
}
