package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.usage.TrueUsage;
import io.github.liquidscheduler.simulator.usage.UsefulUse;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** The results of one trace under several request models, side by side. */
final class RequestComparison {

  private static final Map<String, String> NAMES =
      Map.of(
          "off", "users",
          "none", "estimator without model",
          "unseen", "estimator, families unseen",
          "shipped", "estimator, shipped model",
          "exact", "perfect knowledge");

  private final Table table =
      Table.of(
          "requests by | average JCT | median JCT | GPUs busy | GPU memory used | out of memory |"
              + " of jobs | finished");

  private RequestComparison() {}

  /** Runs a trace with every request model. */
  static RequestComparison run(
      SimulateRequests requests,
      Trace jobs,
      SchedulerOptions options,
      Supplier<LiquidScheduler> scheduler) {
    TrueUsage truth = requests.truth(options.conditions().seed());
    RequestComparison comparison = new RequestComparison();
    for (String way : SimulateRequests.ways()) {
      UsefulUse use = new UsefulUse(truth, options.cluster(), jobs);
      Simulation.Builder simulation = options.simulation(jobs, scheduler.get());
      requests.apply(simulation, way, truth, options);
      comparison.add(way, simulation.listener(use).build().run(), use);
    }
    return comparison;
  }

  private void add(String way, SimulationResult result, UsefulUse use) {
    long kills = result.counts().outOfMemory();
    table.row(
        List.of(
            NAMES.getOrDefault(way, way),
            result.statistics().map(s -> seconds(s.completion().average())).orElse("-"),
            result.statistics().map(s -> seconds(s.completion().median())).orElse("-"),
            DisplayFormat.percent(use.gpuTime()),
            DisplayFormat.percent(use.gpuMemory()),
            Long.toString(kills),
            DisplayFormat.percent((double) kills / result.fates().size()),
            Integer.toString(result.finished().size())));
  }

  void print(PrintWriter out) {
    table.print(out);
    out.flush();
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.0f s", time.toMillis() / 1000.0);
  }
}
