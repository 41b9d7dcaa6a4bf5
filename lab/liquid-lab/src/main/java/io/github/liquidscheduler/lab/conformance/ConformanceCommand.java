package io.github.liquidscheduler.lab.conformance;

import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.lab.conformance.peer.PeerCases;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a file of scheduling cases of other schedulers. */
@Command(
    name = "conformance",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs scheduling cases of other schedulers (KAI-Scheduler, Kueue) and says, by area and"
          + " scope, how many come out the same.",
      ""
    },
    footer = {
      "",
      "passed     the same in all that the case insists on",
      "lenient    as good: the same jobs run, no more domains used",
      "differs    something else, on purpose; the reason follows",
      "",
      "Example:",
      "  liquid-lab conformance --cases kueue.json --json results.json"
    })
public final class ConformanceCommand implements Callable<Integer> {

  @Option(
      names = "--cases",
      required = true,
      paramLabel = "FILE",
      description = "The cases: a JSON array.")
  private Path cases = Path.of("");

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = OutputFile.Converter.class,
      description = "Also write what came of each case as JSON to this file; - for the terminal.")
  private @Nullable OutputFile json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    ConformanceReport report = Conformance.run(PeerCases.read(cases));
    PrintWriter out = spec.commandLine().getOut();
    if (json == null || !json.isStandardOutput()) {
      print(out, report);
    }
    if (json != null) {
      json.writeText(out, file -> file.append(report.json()));
    }
    out.flush();
    return 0;
  }

  private static void print(PrintWriter out, ConformanceReport report) {
    Table table =
        Table.of(
            "area | scope | cases | passed | lenient | differs | failed | skipped | not graded");
    for (ConformanceReport.Row row : report.rows()) {
      List<String> cells = new ArrayList<>(List.of(row.area(), row.scope()));
      cells.add(Integer.toString(row.total()));
      for (Verdict verdict : Verdict.values()) {
        cells.add(Integer.toString(row.count(verdict)));
      }
      table.row(cells);
    }
    table.print(out);
    out.println();
    report.causes().forEach(cause -> print(out, cause));
  }

  private static void print(PrintWriter out, ConformanceReport.Cause cause) {
    String reason = cause.reason().isEmpty() ? "" : ", " + cause.reason();
    out.println(cause.verdict() + reason + ": " + cause.cases().size());
    if (cause.verdict() != Verdict.SKIPPED) {
      out.println("  " + String.join(" ", cause.cases()));
    }
  }
}
