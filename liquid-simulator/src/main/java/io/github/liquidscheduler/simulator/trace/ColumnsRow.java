package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.input.DatasetCells;
import io.github.liquidscheduler.simulator.input.LogTimes;
import io.github.liquidscheduler.simulator.input.WorkloadName;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One row of a file mapped by {@link TraceColumns}. */
final class ColumnsRow {

  private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9.][0-9.eE+-]*");
  private static final Pattern CLOCK = Pattern.compile("\\d{4}-\\d.*");
  private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000L);
  private static final int MOST_NODES = 1_000_000;
  private static final double LEAST_SHARE = 0.001;
  private static final BigDecimal GIB = BigDecimal.valueOf(1L << 30);

  private final TraceColumns columns;
  private final Row row;
  private final LogTimes times;
  private final DatasetCells datasets;
  private final Duration unit;

  ColumnsRow(TraceColumns columns, Row row, LogTimes times, DatasetCells datasets, Duration unit) {
    this.columns = columns;
    this.row = row;
    this.times = times;
    this.datasets = datasets;
    this.unit = unit;
  }

  /** Adds the job, or counts it as left out. */
  void addTo(LoggedJobs jobs) {
    TraceJob.Builder job = TraceJob.builder(id(jobs.size())).line(row.line());
    Optional<String> reason = request(job).or(() -> runTime(job));
    describe(job);
    if (reason.isPresent()) {
      jobs.leaveOut(reason.get(), row.line());
      return;
    }
    Instant submit = instant(TraceColumns.SUBMIT);
    try {
      jobs.add(submit, !isNumber(text(TraceColumns.SUBMIT)), job);
    } catch (DateTimeException e) {
      throw error(TraceColumns.SUBMIT, String.valueOf(e.getMessage()));
    }
  }

  private String id(int position) {
    return columns
        .column(TraceColumns.JOB_ID)
        .filter(row::has)
        .map(row::text)
        .orElseGet(() -> Integer.toString(position));
  }

  private void describe(TraceJob.Builder job) {
    if (told(TraceColumns.ITERATIONS).isPresent()) {
      job.iterations(whole(TraceColumns.ITERATIONS, TraceJob.MOST_ITERATIONS));
    }
    told(TraceColumns.MODEL).map(this::workload).ifPresent(job::model);
    told(TraceColumns.QUEUE).ifPresent(job::virtualCluster);
    if (has(TraceColumns.DATASET) && has(TraceColumns.DATASET_SIZE)) {
      job.datasets(
          datasets.of(row, column(TraceColumns.DATASET), column(TraceColumns.DATASET_SIZE)));
    }
    told(TraceColumns.USER).ifPresent(user -> job.label(TraceColumns.USER, user));
    told(TraceColumns.STATUS).ifPresent(status -> job.label(TraceColumns.STATUS, status));
  }

  private String workload(String family) {
    OptionalInt batchSize =
        told(TraceColumns.BATCH).isEmpty()
            ? OptionalInt.empty()
            : OptionalInt.of((int) whole(TraceColumns.BATCH, 999_999_999));
    return WorkloadName.of(family, batchSize, told(TraceColumns.PRECISION));
  }

  private Optional<String> request(TraceJob.Builder job) {
    BigDecimal gpus = decimal(TraceColumns.GPUS, BigDecimal.valueOf(TraceJob.MOST_GPUS));
    if (gpus.signum() == 0) {
      return Optional.of(LoggedJobs.NO_GPU);
    }
    boolean isShare = gpus.compareTo(BigDecimal.ONE) < 0;
    int count = isShare ? 1 : (int) whole(TraceColumns.GPUS, TraceJob.MOST_GPUS);
    job.gpus(count);
    if (isShare || isDetailed()) {
      int tasks = tasks(count);
      ResourceRequest.Builder each = ResourceRequest.builder().gpus(count / tasks);
      if (isShare) {
        each.share(GpuShare.of(Math.max(LEAST_SHARE, gpus.doubleValue())));
      }
      addHost(each, tasks);
      job.request(TraceRequest.of(tasks, each.build()).on(models()));
    }
    return Optional.empty();
  }

  private boolean isDetailed() {
    return Stream.of(
            TraceColumns.NODES, TraceColumns.CPU, TraceColumns.MEMORY, TraceColumns.GPU_MODELS)
        .anyMatch(name -> told(name).isPresent());
  }

  /** Returns one task for each node if that is told, and one for each GPU else. */
  private int tasks(int gpus) {
    int nodes =
        told(TraceColumns.NODES).isEmpty() ? 0 : (int) whole(TraceColumns.NODES, MOST_NODES);
    return nodes > 0 && gpus % nodes == 0 && fits(gpus / nodes) ? nodes : gpus;
  }

  private static boolean fits(int gpusPerTask) {
    return gpusPerTask <= ResourceRequest.MAX_GPUS_PER_TASK;
  }

  private void addHost(ResourceRequest.Builder each, int tasks) {
    BigDecimal count = BigDecimal.valueOf(tasks);
    if (told(TraceColumns.CPU).isPresent()) {
      BigDecimal cores = decimal(TraceColumns.CPU, MOST).movePointRight(3);
      each.cpu(CpuCores.ofMillicores(cores.divide(count, RoundingMode.CEILING).longValue()));
    }
    if (told(TraceColumns.MEMORY).isPresent()) {
      BigDecimal bytes = decimal(TraceColumns.MEMORY, MOST).multiply(GIB);
      each.memory(Memory.ofBytes(bytes.divide(count, RoundingMode.CEILING).longValue()));
    }
  }

  private List<GpuModel> models() {
    return told(TraceColumns.GPU_MODELS).stream()
        .flatMap(models -> Arrays.stream(models.split("\\|")))
        .map(String::strip)
        .filter(model -> !model.isEmpty())
        .map(GpuModel::of)
        .toList();
  }

  private Optional<String> runTime(TraceJob.Builder job) {
    Optional<String> duration = told(TraceColumns.DURATION);
    if (duration.isPresent()) {
      if (duration.get().startsWith("-")) {
        return Optional.of(LoggedJobs.ENDED_EARLY);
      }
      job.duration(time(TraceColumns.DURATION));
      return Optional.empty();
    }
    if (!has(TraceColumns.START) || !has(TraceColumns.END)) {
      return has(TraceColumns.DURATION) ? Optional.of(LoggedJobs.NOT_ENDED) : Optional.empty();
    }
    return betweenStartAndEnd(job);
  }

  private Optional<String> betweenStartAndEnd(TraceJob.Builder job) {
    if (told(TraceColumns.START).isEmpty()) {
      return Optional.of(LoggedJobs.NEVER_STARTED);
    }
    if (told(TraceColumns.END).isEmpty()) {
      return Optional.of(LoggedJobs.NOT_ENDED);
    }
    Duration time = Duration.between(instant(TraceColumns.START), instant(TraceColumns.END));
    if (time.isNegative()) {
      return Optional.of(LoggedJobs.ENDED_EARLY);
    }
    if (time.compareTo(TraceJob.LONGEST) > 0) {
      throw error(TraceColumns.END, LoggedJobs.TOO_LONG);
    }
    job.duration(time);
    return Optional.empty();
  }

  private Instant instant(String name) {
    String text = text(name);
    try {
      if (isNumber(text)) {
        times.requireNumbers();
        return Instant.EPOCH.plus(time(name));
      }
      return times.of(text);
    } catch (DateTimeException e) {
      throw error(name, String.valueOf(e.getMessage()));
    }
  }

  private static boolean isNumber(String text) {
    return NUMBER.matcher(text).matches() && !CLOCK.matcher(text).matches();
  }

  private Duration time(String name) {
    BigDecimal most = BigDecimal.valueOf(TraceJob.LONGEST.dividedBy(unit));
    BigDecimal nanos = decimal(name, most).multiply(BigDecimal.valueOf(unit.toNanos()));
    return Duration.ofNanos(nanos.setScale(0, RoundingMode.HALF_EVEN).longValueExact());
  }

  private BigDecimal decimal(String name, BigDecimal most) {
    return row.decimal(column(name), BigDecimal.ZERO, most);
  }

  private long whole(String name, long most) {
    return row.whole(column(name), 1, most);
  }

  private String text(String name) {
    return row.text(column(name));
  }

  /** Returns the value of a column; empty if the column is missing or its value stands for none. */
  private Optional<String> told(String name) {
    return columns.column(name).flatMap(row::optionalText).filter(text -> !LogTimes.isAbsent(text));
  }

  private boolean has(String name) {
    return columns.column(name).filter(row::has).isPresent();
  }

  private String column(String name) {
    return columns.column(name).orElse(name);
  }

  private InputFormatException error(String name, String rule) {
    return row.error(column(name), rule);
  }
}
