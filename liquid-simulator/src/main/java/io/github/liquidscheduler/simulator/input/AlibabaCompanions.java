package io.github.liquidscheduler.simulator.input;

import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.formats.input.SourceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.commons.csv.CSVFormat;
import org.jspecify.annotations.Nullable;

/** The tables that lie beside the task table of Alibaba's cluster trace of 2020. */
public final class AlibabaCompanions {

  /** Those of a task table that lies alone. */
  public static final AlibabaCompanions NONE = new AlibabaCompanions();

  private static final List<String> JOB_COLUMNS =
      List.of("job_name", "inst_id", "user", "status", "start_time", "end_time");
  private static final List<String> TAG_COLUMNS =
      List.of("inst_id", "user", "gpu_type_spec", "group", "workload");

  private final Map<String, Submitted> byJob = new HashMap<>();
  private final Map<String, Tag> byInstance = new HashMap<>();

  private AlibabaCompanions() {}

  /** Returns the companion files of the task table, plain or compressed. */
  public static AlibabaCompanions beside(Path taskTable) {
    AlibabaCompanions companions = new AlibabaCompanions();
    read(taskTable, "pai_job_table.csv", JOB_COLUMNS, companions::addJob);
    read(taskTable, "pai_group_tag_table.csv", TAG_COLUMNS, companions::addTag);
    return companions;
  }

  /** Returns the job's submission time, if known. */
  public Optional<Duration> submit(String job) {
    return Optional.ofNullable(byJob.get(job)).flatMap(Submitted::time);
  }

  /** Returns the user of a job, if known. */
  public Optional<String> user(String job) {
    return Optional.ofNullable(byJob.get(job)).flatMap(Submitted::user);
  }

  /** Returns the GPU model that the job asked for. */
  public Optional<String> gpuModel(String job) {
    return tag(job).flatMap(Tag::gpuModel);
  }

  /** Returns the workload of a job, if known. */
  public Optional<String> workload(String job) {
    return tag(job).flatMap(Tag::workload);
  }

  private Optional<Tag> tag(String job) {
    return Optional.ofNullable(byJob.get(job))
        .flatMap(submitted -> Optional.ofNullable(byInstance.get(submitted.instance())));
  }

  private void addJob(Row row) {
    Optional<Duration> time = row.optionalText("start_time").map(text -> row.seconds("start_time"));
    putOnce(
        byJob, row, "job_name", new Submitted(row.text("inst_id"), time, row.optionalText("user")));
  }

  private void addTag(Row row) {
    Optional<String> gpuModel = row.optionalText("gpu_type_spec");
    Optional<String> workload = row.optionalText("workload");
    if (gpuModel.isPresent() || workload.isPresent()) {
      putOnce(byInstance, row, "inst_id", new Tag(gpuModel, workload));
    }
  }

  private static <T> void putOnce(Map<String, T> values, Row row, String key, T value) {
    @Nullable T before = values.putIfAbsent(row.text(key), value);
    if (before != null && !before.equals(value)) {
      throw row.error(key, "must come once, or again with the same values");
    }
  }

  private static void read(Path beside, String name, List<String> columns, Consumer<Row> reader) {
    for (String each : List.of(name, name + ".gz")) {
      Path file = beside.resolveSibling(each);
      if (Files.exists(file)) {
        SourceFile.read(
            file,
            (source, bytes) -> {
              BoundedLines lines = new BoundedLines(source, bytes);
              Rows rows = Rows.withOptionalHeader(lines, CSVFormat.DEFAULT, columns);
              for (Row row = rows.next(); row != null; row = rows.next()) {
                reader.accept(row);
              }
              return source;
            });
        return;
      }
    }
  }

  private record Submitted(String instance, Optional<Duration> time, Optional<String> user) {}

  private record Tag(Optional<String> gpuModel, Optional<String> workload) {}
}
