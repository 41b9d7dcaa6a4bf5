package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.formats.input.SourceFile;
import io.github.liquidscheduler.simulator.input.AlibabaCompanions;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;

/**
 * Reads the tasks of Alibaba's cluster trace of 2020 ({@code pai_task_table.csv}, NSDI 2022): CSV
 * without a header. The tasks of a job are its roles. Submission times and users are in {@code
 * pai_job_table.csv}, GPU models that were asked for and workloads in {@code
 * pai_group_tag_table.csv}; they are read if they lie beside the file. Else a job counts as
 * submitted when its first task started.
 */
final class AlibabaTaskReader implements TraceReader {

  private static final List<String> TASK_COLUMNS =
      List.of(
          "job_name",
          "task_name",
          "inst_num",
          "status",
          "start_time",
          "end_time",
          "plan_cpu",
          "plan_mem",
          "plan_gpu",
          "gpu_type");

  @Override
  public Trace read(String source, InputStream bytes) {
    return read(source, bytes, AlibabaCompanions.NONE);
  }

  @Override
  public Trace read(Path file) {
    AlibabaCompanions companions = AlibabaCompanions.beside(file);
    return SourceFile.read(file, (source, bytes) -> read(source, bytes, companions));
  }

  private static Trace read(String source, InputStream bytes, AlibabaCompanions companions) {
    Rows rows =
        Rows.withOptionalHeader(new BoundedLines(source, bytes), CSVFormat.DEFAULT, TASK_COLUMNS);
    Map<String, AlibabaJob> byName = new LinkedHashMap<>();
    for (Row row = rows.next(); row != null; row = rows.next()) {
      int line = row.line();
      byName.computeIfAbsent(row.text("job_name"), name -> new AlibabaJob(name, line)).add(row);
    }
    LoggedJobs jobs = LoggedJobs.held(source);
    byName.values().forEach(job -> job.addTo(jobs, companions));
    return jobs.trace();
  }
}
