package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.resource.ResourceSample;
import io.github.liquidscheduler.estimator.resource.ResourceTarget;
import io.github.liquidscheduler.estimator.resource.TaskProfile;
import io.github.liquidscheduler.training.table.CsvTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;

/**
 * A table of tasks and what they were measured to use, as comma-separated values with a header. An
 * empty cell is a value that is not known; columns beyond the documented ones are kept but not
 * read.
 *
 * @param header the names of the columns
 * @param cells the cells of each row, as many as there are columns
 * @param samples what each row says
 */
public record ResourceCsv(
    List<String> header, List<List<String>> cells, List<ResourceSample> samples) {

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

  /** The largest number of rows that is read. */
  public static final int MOST_ROWS = 1_000_000;

  /** Copies the lists. */
  public ResourceCsv {
    header = List.copyOf(header);
    cells = List.copyOf(cells);
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
    try (CsvTable table = CsvTable.open(file)) {
      return read(table, file);
    }
  }

  /** Returns the published measurements that the shipped model was trained on. */
  public static ResourceCsv published() {
    InputStream resource =
        Objects.requireNonNull(ResourceCsv.class.getResourceAsStream(PUBLISHED), PUBLISHED);
    try (CsvTable table =
        CsvTable.of(new InputStreamReader(resource, StandardCharsets.UTF_8), PUBLISHED)) {
      return read(table, Path.of(PUBLISHED));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ResourceCsv read(CsvTable table, Path file) {
    if (!table.header().contains("family")) {
      throw new IllegalArgumentException(
          "a table of resource needs must have the column 'family', but has %s, in %s line 1"
              .formatted(table.header(), file));
    }
    List<List<String>> cells = new ArrayList<>();
    List<ResourceSample> samples = new ArrayList<>();
    for (Optional<CSVRecord> row = table.next(); row.isPresent(); row = table.next()) {
      cells.add(row.get().toList());
      samples.add(new Row(row.get(), file, table.line()).sample());
      if (samples.size() > MOST_ROWS) {
        throw new IllegalArgumentException(
            "a table must have at most %d rows, but has more, in %s".formatted(MOST_ROWS, file));
      }
    }
    return new ResourceCsv(table.header(), cells, samples);
  }

  /** Writes samples with all documented columns. */
  public static void write(Path file, List<ResourceSample> samples) throws IOException {
    try (Writer writer = Files.newBufferedWriter(file);
        CSVPrinter printer =
            new CSVPrinter(writer, CSVFormat.DEFAULT.builder().setRecordSeparator("\n").get())) {
      printer.printRecord(columns());
      for (ResourceSample sample : samples) {
        printer.printRecord(cells(sample));
      }
    }
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

  /** One line of a file. */
  private record Row(CSVRecord row, Path file, long line) {

    ResourceSample sample() {
      ResourceSample.Builder sample = ResourceSample.builder(task());
      for (ResourceTarget target : ResourceTarget.values()) {
        number(target.column()).ifPresent(value -> set(sample, target, value));
      }
      return sample.build();
    }

    private void set(ResourceSample.Builder sample, ResourceTarget target, double value) {
      if (!target.accepts(value)) {
        throw refusal(
            target.column(),
            target.isFraction() ? "from 0 to 1" : "not negative",
            cell(target.column()));
      }
      sample.value(target, value);
    }

    private TaskProfile task() {
      String family = cell("family");
      if (family.isEmpty()) {
        throw refusal("family", "stated", "");
      }
      TaskProfile.Builder task =
          TaskProfile.builder(family)
              .framework(cell("framework"))
              .dataset(cell("dataset"))
              .precision(cell("precision"))
              .gpu(cell("gpu"))
              .batch(whole("batch", 0, 1))
              .gpusPerTask(whole("gpus_per_task", 1, 0))
              .tasks(whole("workers", 1, 0), whole("parameter_servers", 0, 0))
              .hyperparameters(hyperparameters());
      number("parameters").ifPresent(value -> task.parameters(requirePositive(value)));
      if (!cell("source").isEmpty()) {
        task.source(cell("source"));
      }
      return role(task).build();
    }

    private TaskProfile.Builder role(TaskProfile.Builder task) {
      String role = cell("role");
      return switch (role) {
        case "" -> task;
        case TaskProfile.WORKER, TaskProfile.PARAMETER_SERVER -> task.role(role);
        default -> throw refusal("role", "'worker' or 'ps'", role);
      };
    }

    private Map<String, String> hyperparameters() {
      Map<String, String> values = new TreeMap<>();
      String cell = cell("hyperparameters");
      for (String part :
          cell.isEmpty() ? Collections.<String>emptyList() : List.of(cell.split(";", -1))) {
        int equals = part.indexOf('=');
        if (equals < 1) {
          throw refusal("hyperparameters", "key=value;key=value", cell);
        }
        values.put(part.substring(0, equals).strip(), part.substring(equals + 1).strip());
      }
      return values;
    }

    private double requirePositive(double value) {
      if (value <= 0) {
        throw refusal("parameters", "positive", cell("parameters"));
      }
      return value;
    }

    private int whole(String column, int otherwise, int least) {
      OptionalDouble value = number(column);
      if (value.isEmpty()) {
        return otherwise;
      }
      double number = value.getAsDouble();
      if (number != Math.rint(number) || number < least || number > Integer.MAX_VALUE) {
        throw refusal(column, "a whole number of at least " + least, cell(column));
      }
      return (int) number;
    }

    private OptionalDouble number(String column) {
      String cell = cell(column);
      if (cell.isEmpty()) {
        return OptionalDouble.empty();
      }
      OptionalDouble value = TaskProfile.numeric(cell);
      if (value.isEmpty()) {
        throw refusal(column, "a finite number or empty", cell);
      }
      return value;
    }

    private String cell(String column) {
      return row.isMapped(column) ? row.get(column) : "";
    }

    private IllegalArgumentException refusal(String column, String rule, String value) {
      return new IllegalArgumentException(
          "%s must be %s, but was '%s', in %s line %d column %s"
              .formatted(column, rule, value, file, line, column));
    }
  }
}
