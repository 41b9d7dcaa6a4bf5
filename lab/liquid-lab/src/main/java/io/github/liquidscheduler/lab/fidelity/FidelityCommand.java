package io.github.liquidscheduler.lab.fidelity;

import io.github.liquidscheduler.cli.output.Table;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints what published simulators printed beside what ours give. */
@Command(
    name = "fidelity",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs our reference simulators as published ones were run, and prints both in one table, in"
          + " seconds: theirs, ours, and the figure that differs most.",
      "Where the tolerance is 0, all figures must be equal to the last digit that was printed;"
          + " elsewhere the averages may differ by so many percent.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  liquid-lab fidelity --data ../shared/data",
      "  liquid-lab fidelity --data ../shared/data --simulator lucid",
      "",
      "The folder holds tiresias, synthetic, gavel, pollux and alibaba-gpu-v2023;"
          + " docs/simulation.md says what they are. Exit status 1 if a run is not what was"
          + " published."
    })
public final class FidelityCommand implements Callable<Integer> {

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DIR",
      description = "Folder of the public data sets.")
  private Path data = Path.of("");

  @Option(
      names = "--simulator",
      paramLabel = "NAME",
      description = "Only tiresias, lucid, gavel, pollux or fgd; may be given several times.")
  private List<String> simulators = new ArrayList<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    List<PublishedRun> runs =
        PublishedRun.all().stream()
            .filter(run -> simulators.isEmpty() || simulators.contains(run.simulator()))
            .toList();
    if (runs.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--simulator must be tiresias, lucid, gavel, pollux or fgd, but was " + simulators);
    }
    return print(runs) == runs.size() ? 0 : 1;
  }

  /** Prints the tables, and returns how many runs are as published. */
  private int print(List<PublishedRun> runs) {
    int same = printTimes(runs.stream().filter(run -> !run.isAllocation()).toList());
    same += printAllocations(runs.stream().filter(PublishedRun::isAllocation).toList());
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%d of %d runs are as published.%n", same, runs.size());
    out.flush();
    return same;
  }

  private int printTimes(List<PublishedRun> runs) {
    return print(
        runs,
        "simulator | trace | policy | average | ours | median | ours | p99 | ours | makespan | ours"
            + " | difference % | tolerance % | as published",
        PublishedRun.TIMES);
  }

  private int printAllocations(List<PublishedRun> runs) {
    return print(
        runs,
        "simulator | trace | policy | GPUs allocated % | ours | of 130 % requested | ours |"
            + " difference | tolerance | as published",
        PublishedRun.ALLOCATIONS);
  }

  private int print(List<PublishedRun> runs, String columns, List<String> figures) {
    if (runs.isEmpty()) {
      return 0;
    }
    Table table = Table.of(columns).endingInText();
    OwnRuns own = new OwnRuns(data);
    int same = 0;
    for (PublishedRun run : runs) {
      Map<String, Double> ours = own.figures(run);
      boolean holds = run.holds(ours);
      same += holds ? 1 : 0;
      table.row(row(run, ours, holds, figures));
    }
    PrintWriter out = spec.commandLine().getOut();
    table.print(out);
    out.println();
    return same;
  }

  private static List<String> row(
      PublishedRun run, Map<String, Double> ours, boolean holds, List<String> figures) {
    List<String> row = new ArrayList<>();
    row.add(run.simulator());
    row.add(String.valueOf(Path.of(run.trace()).getFileName()));
    row.add(run.policy());
    for (String figure : figures) {
      row.add(run.figure(figure).map(Object::toString).orElse(""));
      row.add(run.figure(figure).map(theirs -> text(ours, figure, theirs.scale())).orElse(""));
    }
    row.add(difference(run.largestDifference(ours)));
    row.add(String.format(Locale.ROOT, "%.0f", run.tolerance()));
    row.add(holds ? "yes" : "no");
    return row;
  }

  /** Returns a difference without the sign of one that is rounded to nothing. */
  private static String difference(double value) {
    String text = String.format(Locale.ROOT, "%.3f", value);
    return text.equals("-0.000") ? "0.000" : text;
  }

  private static String text(Map<String, Double> ours, String figure, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", ours.get(figure));
  }
}
