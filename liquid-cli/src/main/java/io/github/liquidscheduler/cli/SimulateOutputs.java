package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.output.ResultCsv;
import io.github.liquidscheduler.simulator.output.ResultJson;
import java.io.PrintWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of where the results of a simulation go. */
final class SimulateOutputs {

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = OutputFile.Converter.class,
      description = "Write the summary as JSON; - is the standard output.")
  private @Nullable OutputFile json;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      converter = OutputFile.Converter.class,
      description = "Write one row for each job as CSV; - is the standard output.")
  private @Nullable OutputFile csv;

  @Option(
      names = "--journal",
      paramLabel = "FILE",
      converter = OutputFile.Converter.class,
      description = "Record all events and decisions in a new file, for liquid replay.")
  private @Nullable OutputFile journal;

  void check(CommandSpec spec) {
    if (isPrinted(json) && isPrinted(csv)) {
      throw new ParameterException(
          spec.commandLine(), "only one of --json and --csv can go to the standard output");
    }
  }

  /** Refuses all of them, since a comparison has no single result. */
  void refuseAny(CommandSpec spec) {
    OptionGroup.of(SimulateOutputs.class)
        .refuse(spec, "--estimator compare supports none of --json, --csv and --journal");
  }

  void refuseJournal(CommandSpec spec) {
    if (journal != null) {
      throw new ParameterException(
          spec.commandLine(), "a reference simulator has no events for --journal");
    }
  }

  /** Returns the listener of the simulation, to be closed after it. */
  RunWatcher watcher(LiquidScheduler scheduler, Map<String, String> settings) {
    if (journal == null) {
      return RunWatcher.withoutJournal();
    }
    JournalHeader.Builder header = JournalHeader.builder(scheduler).recordDecisions(true);
    settings.forEach(header::setting);
    return RunWatcher.writing(journal, header.build());
  }

  void write(CommandSpec spec, Map<String, String> settings, SimulationResult result) {
    PrintWriter out = spec.commandLine().getOut();
    if (json != null) {
      json.writeText(out, text -> text.append(ResultJson.of(settings, result)));
    }
    if (csv != null) {
      csv.writeText(out, text -> ResultCsv.write(result, text));
    }
    if (areText()) {
      SummaryText.of(settings, result).forEach(out::println);
    }
    out.flush();
  }

  /** Returns whether the standard output is for people. */
  boolean areText() {
    return !isPrinted(json) && !isPrinted(csv);
  }

  private static boolean isPrinted(@Nullable OutputFile file) {
    return file != null && file.isStandardOutput();
  }
}
