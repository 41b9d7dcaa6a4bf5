package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.lab.published.elastic.ComparedAverage;
import io.github.liquidscheduler.lab.published.elastic.ComparedConditions;
import io.github.liquidscheduler.text.Count;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Tables of comparisons of policies for elastic jobs. */
final class ElasticReport {

  private final List<ComparedConditions> all;

  ElasticReport(List<ComparedConditions> all) {
    this.all = all;
  }

  /** Prints a table for each comparison. */
  void print(PrintWriter out) {
    for (ComparedConditions compared : all) {
      out.printf(
          Locale.ROOT,
          "Load %.2f; %s. Average JCT; +- over %s.%n%n",
          compared.load(),
          compared.label(),
          Count.of(compared.rows().get(0).seconds().size(), "seed"));
      Table table =
          Table.of(
              "policy | average JCT (s) | saved | +- | resizes per job | pre-emptions per job");
      compared.rows().forEach(row -> table.row(cells(row)));
      table.print(out);
      out.println();
    }
  }

  /** Prints one table of what each policy saves, with a row for each comparison. */
  void printSaved(PrintWriter out) {
    out.println("Saved of the average JCT of Tiresias under the same conditions.");
    out.println();
    Table table =
        new Table(
            Stream.concat(
                    Stream.of("conditions", "load"),
                    all.get(0).rows().stream().skip(1).map(ComparedAverage::name))
                .toList());
    for (ComparedConditions compared : all) {
      table.row(
          Stream.concat(
                  Stream.of(compared.label(), number("%.2f", compared.load())),
                  compared.rows().stream().skip(1).map(row -> DisplayFormat.percent(row.saved())))
              .toList());
    }
    table.print(out);
  }

  private static List<String> cells(ComparedAverage row) {
    boolean isPolicy = row.resizes() + row.preemptions() > 0;
    return List.of(
        row.name(),
        number("%.0f", row.average()),
        DisplayFormat.percent(row.saved()),
        DisplayFormat.percent(row.savedBySeed().deviation()),
        isPolicy ? number("%.2f", row.resizes()) : "-",
        isPolicy ? number("%.2f", row.preemptions()) : "-");
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
