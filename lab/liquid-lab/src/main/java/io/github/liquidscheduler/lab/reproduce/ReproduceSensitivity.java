package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.lab.published.PlacementSensitivity;
import io.github.liquidscheduler.lab.published.PlacementSensitivity.Row;
import io.github.liquidscheduler.lab.published.PlacementShape;
import io.github.liquidscheduler.text.Count;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs each model in each published placement. */
@Command(
    name = "sensitivity",
    mixinStandardHelpOptions = true,
    description = {"Runs one job of each model in each published placement (figures 1 and 6).", ""})
final class ReproduceSensitivity implements Callable<Integer> {

  @Mixin private final Repetitions repetitions = new Repetitions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    int seeds = repetitions.seeds();
    PrintWriter out = spec.commandLine().getOut();
    out.println("Run times by placement: one parameter server (p) and two workers (w) of a K80");
    out.printf(
        "each, a colon between nodes; and jobs of one task. %s each.%n%n", Count.of(seeds, "run"));
    List<Row> rows = PlacementSensitivity.run(seeds);
    Table table =
        Table.of(
            "model | placement | published s | ratio | simulated s | +- | ratio | model's cost"
                + " s/iteration");
    Row first = rows.get(0);
    for (Row row : rows) {
      first = row.shape() == PlacementShape.TOGETHER ? row : first;
      table.row(cells(row, first));
    }
    table.print(out);
    out.println();
    out.println(
        "A run takes 0.95 to 0.99 of the published time, drawn as in the released mock runner.");
    out.println(
        "The cost is that of the physical model with default parameters; nothing was fitted.");
    out.flush();
    return 0;
  }

  private static List<String> cells(Row row, Row first) {
    return List.of(
        row.model(),
        row.shape().notation(),
        number("%.0f", row.published()),
        number("%.2f", row.published() / first.published()),
        number("%.0f", row.simulated().mean()),
        number("%.0f", row.simulated().deviation()),
        number("%.2f", row.simulated().mean() / first.simulated().mean()),
        number("%.3f", row.cost()));
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
