package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.lab.published.BatchMode;
import io.github.liquidscheduler.lab.published.BatchMode.Achieved;
import io.github.liquidscheduler.lab.published.Figure19;
import io.github.liquidscheduler.lab.published.Figure19.Column;
import io.github.liquidscheduler.text.Count;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Compares batch planners with immediate placement. */
@Command(
    name = "batch",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compares batch planners with placement algorithms (figure 19): 8, 16, 24 and 32 jobs arrive"
          + " at once on 5, 10, 15 and 20 nodes of two T4. Prints mean completion time, makespan,"
          + " and the saving against the mean of random, even, Kubernetes and HiveD.",
      ""
    })
final class ReproduceBatch implements Callable<Integer> {

  @Mixin private final Repetitions repetitions = new Repetitions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    for (int nodes : BatchMode.NODES) {
      BatchMode experiment = BatchMode.on(nodes, repetitions.seeds());
      print(out, nodes, experiment, experiment.run());
    }
    out.println("lab/liquid-lab/docs/reproduction.md says what these times can and cannot show.");
    out.flush();
    return 0;
  }

  private void print(PrintWriter out, int nodes, BatchMode experiment, List<Achieved> achieved) {
    out.printf(
        Locale.ROOT,
        "%d jobs on %d nodes of two T4; seconds, mean over %s; saving against the mean of"
            + " the baselines.%n",
        8 * nodes / 5,
        nodes,
        Count.of(repetitions.seeds(), "seed"));
    double completion = BatchMode.compared(achieved, row -> row.completion().mean());
    double makespan = BatchMode.compared(achieved, row -> row.makespan().mean());
    printLimits(out, experiment, completion, makespan);
    Table table =
        Table.of(
            "placer | stands for | JCT | +- | saved | makespan | +- | saved | run | published JCT"
                + " | saved | makespan | saved");
    for (Achieved row : achieved) {
      table.row(row(row, nodes, completion, makespan));
    }
    table.print(out);
    out.println();
  }

  private static void printLimits(
      PrintWriter out, BatchMode experiment, double completion, double makespan) {
    out.printf(
        Locale.ROOT,
        "On their best placement jobs take %.0f s on average, the longest %.0f s: no schedule can"
            + " save more than%n%s of the completion time and %s of the makespan.%n%n",
        experiment.leastCompletion(),
        experiment.leastMakespan(),
        DisplayFormat.percent(1 - experiment.leastCompletion() / completion),
        DisplayFormat.percent(1 - experiment.leastMakespan() / makespan));
  }

  private static List<String> row(Achieved row, int nodes, double completion, double makespan) {
    @Nullable Column published = Figure19.of(nodes, row.column()).orElse(null);
    return List.of(
        row.name(),
        row.column().isEmpty() ? "-" : row.column(),
        seconds(row.completion().mean()),
        seconds(row.completion().deviation()),
        DisplayFormat.percent(1 - row.completion().mean() / completion),
        seconds(row.makespan().mean()),
        seconds(row.makespan().deviation()),
        DisplayFormat.percent(1 - row.makespan().mean() / makespan),
        seconds(row.running().mean()),
        published == null ? "-" : seconds(published.completion()),
        published == null
            ? "-"
            : DisplayFormat.percent(1 - published.completion() / Figure19.completion(nodes)),
        published == null ? "-" : seconds(published.makespan()),
        published == null
            ? "-"
            : DisplayFormat.percent(1 - published.makespan() / Figure19.makespan(nodes)));
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.0f", seconds);
  }
}
