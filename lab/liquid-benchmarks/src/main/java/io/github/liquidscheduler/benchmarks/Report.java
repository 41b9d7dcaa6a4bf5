package io.github.liquidscheduler.benchmarks;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Prints results as they arrive, a line for each scheduler; ratios are to the first one. */
final class Report {
  private static final double NANOS_PER_MICRO = 1000;

  private final PrintStream out;
  private final List<Baseline> baselines;

  Report(PrintStream out, List<Baseline> baselines) {
    this.out = out;
    this.baselines = List.copyOf(baselines);
  }

  void head(Effort effort) {
    line("Machine: %s", Machine.describe());
    line(
        "Hosts have %d GPUs, %d cores and %d GiB. Tasks take 1/2/4/8 GPUs (50/20/15/15 %%), each"
            + " with %d cores and %d GiB; seed %d.",
        Host.GPUS,
        Host.CORES,
        Host.MEMORY_GIB,
        Task.CORES_PER_GPU,
        Task.GIB_PER_GPU,
        effort.seed());
    line("Ratio: how many times faster than %s, in wall time.", baselines.getFirst().name());
  }

  void headBulk() {
    line("%nIn bulk, onto an empty cluster: time for each task");
    line(
        "%8s %8s  %-24s %12s %12s %8s %8s %8s",
        "hosts", "tasks", "scheduler", "wall (us)", "cpu (us)", "placed", "on hosts", "ratio");
  }

  void bulk(Bulk bulk, List<Bulk.Result> results) {
    Duration measure = results.getFirst().wall();
    for (int i = 0; i < results.size(); i++) {
      Bulk.Result result = results.get(i);
      line(
          "%8d %8d  %-24s %12.2f %12.2f %8d %8d %8.1f",
          bulk.hosts(),
          bulk.tasks(),
          baselines.get(i).name(),
          micros(result.wall()),
          micros(result.cpu()),
          result.packing().tasks(),
          result.packing().hosts(),
          ratio(measure, result.wall()));
    }
  }

  void headSingle() {
    line("%nOne task in a call, half of the GPUs taken: time for each call");
    line(
        "%8s  %-24s %12s %12s %8s %10s %10s",
        "hosts", "scheduler", "p50 (us)", "p99 (us)", "calls", "ratio p50", "ratio p99");
  }

  void single(SingleTask single, List<SingleTask.Result> results) {
    Quantiles measure = results.getFirst().wall();
    for (int i = 0; i < results.size(); i++) {
      Quantiles wall = results.get(i).wall();
      line(
          "%8d  %-24s %12.2f %12.2f %8d %10.1f %10.1f",
          single.hosts(),
          baselines.get(i).name(),
          micros(wall.median()),
          micros(wall.at(0.99)),
          wall.count(),
          ratio(measure.median(), wall.median()),
          ratio(measure.at(0.99), wall.at(0.99)));
    }
  }

  private static double micros(Duration duration) {
    return duration.toNanos() / NANOS_PER_MICRO;
  }

  private static double ratio(Duration measure, Duration duration) {
    return (double) measure.toNanos() / duration.toNanos();
  }

  private void line(String format, Object... values) {
    out.printf(Locale.ROOT, format + "%n", values);
  }
}
