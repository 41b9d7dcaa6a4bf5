package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.input.LogTimes;
import io.github.liquidscheduler.simulator.input.TrackedResources;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;

/**
 * Reads what Slurm's {@code sacct --parsable2} prints of jobs with the columns {@code JobID},
 * {@code Submit}, {@code Start}, {@code End} and {@code ReqTRES} or {@code AllocTRES}. Steps of
 * jobs ({@code 7.batch}) are passed over. A job has one task for each node.
 */
final class SlurmJobReader implements LineReader {

  private static final String ID = "JobID";
  private static final String SUBMIT = "Submit";
  private static final String START = "Start";
  private static final String END = "End";
  private static final List<String> REQUIRED = List.of(ID, SUBMIT, START, END);
  private static final List<String> RESOURCES = List.of("ReqTRES", "AllocTRES");
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setDelimiter('|').setQuote(null).get();

  @Override
  public Lines begin(String source, InputStream bytes) {
    Rows rows = Rows.withHeader(new BoundedLines(source, bytes), FORMAT, REQUIRED);
    if (RESOURCES.stream().noneMatch(rows::hasColumn)) {
      throw rows.headerError("have the column 'ReqTRES' or 'AllocTRES'");
    }
    LogTimes times = new LogTimes();
    return Lines.of(
        rows,
        (jobs, row) -> {
          if (row.text(ID).indexOf('.') < 0) {
            add(jobs, row, times);
          }
        });
  }

  private static void add(LoggedJobs jobs, Row row, LogTimes times) {
    TrackedResources resources = resources(row);
    if (resources.gpus() == 0) {
      jobs.leaveOut(LoggedJobs.NO_GPU, row.line());
      return;
    }
    Optional<Instant> start = time(row, START, times);
    Optional<Instant> end = time(row, END, times);
    if (start.isEmpty() || end.isEmpty() || end.get().isBefore(start.get())) {
      jobs.leaveOut(reason(start.isPresent(), end.isPresent()), row.line());
      return;
    }
    Duration runTime = Duration.between(start.get(), end.get());
    if (runTime.compareTo(TraceJob.LONGEST) > 0) {
      throw row.error(END, LoggedJobs.TOO_LONG);
    }
    TraceJob.Builder job =
        TraceJob.builder(row.text(ID))
            .request(request(resources))
            .duration(runTime)
            .line(row.line());
    row.optionalText("Partition").ifPresent(job::virtualCluster);
    row.optionalText("User").ifPresent(user -> job.label(TraceColumns.USER, user));
    row.optionalText("State").ifPresent(state -> job.label(TraceColumns.STATUS, state));
    submit(jobs, row, times, job);
  }

  private static void submit(LoggedJobs jobs, Row row, LogTimes times, TraceJob.Builder job) {
    try {
      jobs.add(times.of(row.text(SUBMIT)), true, job);
    } catch (DateTimeException e) {
      throw row.error(SUBMIT, String.valueOf(e.getMessage()));
    }
  }

  private static String reason(boolean started, boolean ended) {
    if (!started) {
      return LoggedJobs.NEVER_STARTED;
    }
    return ended ? LoggedJobs.ENDED_EARLY : LoggedJobs.NOT_ENDED;
  }

  private static TrackedResources resources(Row row) {
    for (String column : RESOURCES) {
      Optional<String> text = row.optionalText(column);
      if (text.isPresent()) {
        return TrackedResources.parse(text.get())
            .orElseThrow(
                () ->
                    row.error(column, "must be resources such as cpu=8,gres/gpu=2,mem=64G,node=1"));
      }
    }
    return TrackedResources.NONE;
  }

  private static TraceRequest request(TrackedResources resources) {
    int tasks = resources.evenNodes();
    ResourceRequest.Builder each = ResourceRequest.builder().gpus(resources.gpus() / tasks);
    if (resources.millicores() > 0) {
      each.cpu(CpuCores.ofMillicores(Math.ceilDiv(resources.millicores(), tasks)));
    }
    if (resources.memory() > 0) {
      each.memory(Memory.ofBytes(Math.ceilDiv(resources.memory(), tasks)));
    }
    List<GpuModel> models = resources.gpuModel().map(GpuModel::of).stream().toList();
    return TraceRequest.of(tasks, each.build()).on(models);
  }

  private static Optional<Instant> time(Row row, String column, LogTimes times) {
    try {
      return row.optionalText(column).flatMap(times::optional);
    } catch (DateTimeException e) {
      throw row.error(column, String.valueOf(e.getMessage()));
    }
  }
}
