package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;

/**
 * Reads the pods of Alibaba's cluster trace of 2023 ({@code openb_pod_list_*.csv}, ATC 2023). Each
 * is a job of one task, of whole GPUs of a node or of a share of one. A job ran from its {@code
 * scheduled_time} to its {@code deletion_time}. Files without times are of pods that come at once.
 */
final class OpenbPodReader implements LineReader {

  private static final String GPUS = "num_gpu";
  private static final String SHARE = "gpu_milli";
  private static final String CREATED = "creation_time";
  private static final String SCHEDULED = "scheduled_time";
  private static final String DELETED = "deletion_time";
  private static final List<String> REQUIRED =
      List.of("name", "cpu_milli", "memory_mib", GPUS, SHARE);
  private static final long MOST = 1_000_000_000_000L;

  @Override
  public Lines begin(String source, InputStream bytes) {
    return Lines.of(
        Rows.withHeader(new BoundedLines(source, bytes), CSVFormat.DEFAULT, REQUIRED),
        OpenbPodReader::add);
  }

  private static void add(LoggedJobs jobs, Row row) {
    TraceJob.Builder job = TraceJob.builder(row.text("name")).line(row.line());
    int gpus = (int) row.whole(GPUS, 0, ResourceRequest.MAX_GPUS_PER_TASK);
    if (gpus == 0) {
      jobs.leaveOut(LoggedJobs.NO_GPU, row.line());
      return;
    }
    job.request(TraceRequest.of(1, request(row, gpus)).on(models(row)));
    row.optionalText("qos").ifPresent(qos -> job.label("qos", qos));
    row.optionalText("pod_phase").ifPresent(phase -> job.label(TraceColumns.STATUS, phase));
    Optional<String> reason = runTime(row, job);
    if (reason.isPresent()) {
      jobs.leaveOut(reason.get(), row.line());
    } else {
      Duration created = row.has(CREATED) ? row.seconds(CREATED) : Duration.ZERO;
      jobs.add(Instant.EPOCH.plus(created), false, job);
    }
  }

  private static ResourceRequest request(Row row, int gpus) {
    ResourceRequest.Builder request =
        ResourceRequest.builder()
            .gpus(gpus)
            .cpu(CpuCores.ofMillicores(row.whole("cpu_milli", 0, MOST)))
            .memory(Memory.ofMib(row.whole("memory_mib", 0, MOST)));
    if (gpus == 1) {
      request.share(GpuShare.ofThousandths((int) row.whole(SHARE, 1, 1000)));
    }
    return request.build();
  }

  private static List<GpuModel> models(Row row) {
    return row.optionalText("gpu_spec").stream()
        .flatMap(models -> Arrays.stream(models.split("\\|")))
        .filter(model -> !model.isBlank())
        .map(GpuModel::of)
        .toList();
  }

  private static Optional<String> runTime(Row row, TraceJob.Builder job) {
    if (!row.has(SCHEDULED) || !row.has(DELETED)) {
      return Optional.empty();
    }
    if (row.optionalText(SCHEDULED).isEmpty()) {
      return Optional.of(LoggedJobs.NEVER_STARTED);
    }
    if (row.optionalText(DELETED).isEmpty()) {
      return Optional.of(LoggedJobs.NOT_ENDED);
    }
    Duration time = row.seconds(DELETED).minus(row.seconds(SCHEDULED));
    if (time.isNegative()) {
      return Optional.of(LoggedJobs.ENDED_EARLY);
    }
    job.duration(time);
    return Optional.empty();
  }
}
