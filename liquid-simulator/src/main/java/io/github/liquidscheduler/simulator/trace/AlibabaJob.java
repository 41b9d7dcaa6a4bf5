package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.input.AlibabaCompanions;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A job of Alibaba's cluster trace of 2020, of the tasks it has. Plans are in percent of a core or
 * a GPU and in GB of memory; more than one GPU is rounded up to whole ones. Mutable.
 */
final class AlibabaJob {

  private static final BigDecimal MOST = BigDecimal.valueOf(100_000_000);
  private static final BigDecimal PERCENT = BigDecimal.valueOf(100);
  private static final BigDecimal GIB = BigDecimal.valueOf(1L << 30);

  private final String name;
  private final int line;
  private final List<TaskRole> roles = new ArrayList<>();
  private final List<Optional<Duration>> starts = new ArrayList<>();
  private final List<Optional<Duration>> ends = new ArrayList<>();
  private boolean endedEarly;

  AlibabaJob(String name, int line) {
    this.name = name;
    this.line = line;
  }

  /** Adds a task of the job. */
  void add(Row row) {
    int count =
        row.optionalText("inst_num").isEmpty()
            ? 1
            : (int) row.whole("inst_num", 1, TaskRole.MAX_TASKS);
    String role = TraceRequest.freeName(roles, row.text("task_name"), roles.size() + 1);
    roles.add(new TaskRole(role, count, request(row)));
    Optional<Duration> start = time(row, "start_time");
    Optional<Duration> end = time(row, "end_time");
    starts.add(start);
    ends.add(end);
    endedEarly |= start.isPresent() && end.isPresent() && end.get().compareTo(start.get()) < 0;
  }

  /** Adds the job, or counts it as left out. */
  void addTo(LoggedJobs jobs, AlibabaCompanions companions) {
    Optional<String> reason = reason();
    if (reason.isPresent()) {
      jobs.leaveOut(reason.get(), line);
      return;
    }
    Duration start = earliest(starts);
    TraceRequest request =
        new TraceRequest(roles, companions.gpuModel(name).map(GpuModel::of).stream().toList());
    TraceJob.Builder job =
        TraceJob.builder(name).request(request).duration(latest(ends).minus(start)).line(line);
    companions.workload(name).ifPresent(job::model);
    companions.user(name).ifPresent(user -> job.label(TraceColumns.USER, user));
    jobs.add(Instant.EPOCH.plus(companions.submit(name).orElse(start)), false, job);
  }

  private Optional<String> reason() {
    if (roles.stream().allMatch(role -> role.request().gpus() == 0)) {
      return Optional.of(LoggedJobs.NO_GPU);
    }
    if (starts.stream().anyMatch(Optional::isEmpty)) {
      return Optional.of(LoggedJobs.NEVER_STARTED);
    }
    if (ends.stream().anyMatch(Optional::isEmpty)) {
      return Optional.of(LoggedJobs.NOT_ENDED);
    }
    return endedEarly ? Optional.of(LoggedJobs.ENDED_EARLY) : Optional.empty();
  }

  private static ResourceRequest request(Row row) {
    ResourceRequest.Builder request = ResourceRequest.builder();
    BigDecimal gpuPercent = amount(row, "plan_gpu");
    if (gpuPercent.signum() > 0 && gpuPercent.compareTo(PERCENT) < 0) {
      int thousandths = gpuPercent.movePointRight(1).setScale(0, RoundingMode.CEILING).intValue();
      request.share(GpuShare.ofThousandths(thousandths));
    } else {
      BigDecimal gpus = gpuPercent.movePointLeft(2).setScale(0, RoundingMode.CEILING);
      if (gpus.intValue() > ResourceRequest.MAX_GPUS_PER_TASK) {
        throw row.error(
            "plan_gpu", "must be at most 100 times " + ResourceRequest.MAX_GPUS_PER_TASK);
      }
      request.gpus(gpus.intValue());
    }
    BigDecimal millicores = amount(row, "plan_cpu").movePointRight(1);
    request.cpu(CpuCores.ofMillicores(millicores.setScale(0, RoundingMode.CEILING).longValue()));
    BigDecimal bytes = amount(row, "plan_mem").multiply(GIB);
    request.memory(Memory.ofBytes(bytes.setScale(0, RoundingMode.CEILING).longValue()));
    return request.build();
  }

  private static BigDecimal amount(Row row, String column) {
    return row.optionalText(column).isEmpty()
        ? BigDecimal.ZERO
        : row.decimal(column, BigDecimal.ZERO, MOST);
  }

  private static Optional<Duration> time(Row row, String column) {
    return row.optionalText(column).map(text -> row.seconds(column));
  }

  private static Duration earliest(List<Optional<Duration>> times) {
    return times.stream().flatMap(Optional::stream).min(Comparator.naturalOrder()).orElseThrow();
  }

  private static Duration latest(List<Optional<Duration>> times) {
    return times.stream().flatMap(Optional::stream).max(Comparator.naturalOrder()).orElseThrow();
  }
}
