package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.lab.published.EventDriven;
import io.github.liquidscheduler.lab.published.LiquidCluster;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Compares events with heartbeats. */
@Command(
    name = "events",
    mixinStandardHelpOptions = true,
    description = {
      "Compares how long GPUs idle between jobs if the end of a job is told at once and if it is"
          + " told by heartbeats of 5 s, in the loop of production and virtual time.",
      ""
    })
final class ReproduceEvents implements Callable<Integer> {
  private static final List<Integer> LAUNCHES = List.of(5, 10, 15, 20, 30);
  private static final int MANY_NODES = 5;
  private static final int MANY_JOBS = 100;
  private static final int DRIVERS_JOBS = 8;

  @Mixin private final Repetitions repetitions = new Repetitions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.println("GPU idle time between jobs that events save against heartbeats of 5 s:");
    out.println();
    Table table = Table.of("cluster | jobs | launch s | saved | least | most | published");
    for (LiquidCluster cluster : LiquidCluster.values()) {
      for (int launch : LAUNCHES) {
        row(table, cluster, 1, DRIVERS_JOBS, launch);
      }
      row(table, cluster, MANY_NODES, MANY_JOBS, 15);
    }
    table.print(out);
    out.println();
    out.println(
        "The paper does not say how long a launch takes; Liquid allows 15 s for it when it");
    out.println("pre-schedules. See lab/liquid-lab/docs/reproduction.md.");
    out.flush();
    return 0;
  }

  private void row(Table table, LiquidCluster cluster, int nodes, int jobs, int launch) {
    List<Double> savings =
        new EventDriven(cluster, nodes, jobs, Duration.ofSeconds(launch))
            .savings(repetitions.seeds());
    double mean = savings.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    table.row(
        List.of(
            "%d x %d %s".formatted(nodes, cluster.gpusPerNode(), cluster),
            Integer.toString(jobs),
            Integer.toString(launch),
            percent(mean),
            percent(Collections.min(savings)),
            percent(Collections.max(savings)),
            "10 %"));
  }

  private static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
  }
}
