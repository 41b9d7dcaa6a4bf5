package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.json.EventJournalWriter;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.output.ResultCsv;
import io.github.liquidscheduler.simulator.output.ResultJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of where the results of a simulation go. */
final class SimulateOutputs {

  private static final String STDOUT = "-";

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the summary as JSON; - is the standard output.")
  private @Nullable String json;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Write one row for each job as CSV; - is the standard output.")
  private @Nullable String csv;

  @Option(
      names = "--journal",
      paramLabel = "FILE",
      description = "Record all events and decisions in a new file, for liquid replay.")
  private @Nullable Path journal;

  void check(CommandSpec spec) {
    if (STDOUT.equals(json) && STDOUT.equals(csv)) {
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
      return new RunWatcher(null);
    }
    JournalHeader.Builder header =
        JournalHeader.builder(scheduler.policy(), scheduler.view().topology())
            .recordDecisions(true);
    settings.forEach(header::setting);
    return new RunWatcher(
        EventJournalWriter.create(journal, header.build(), EventJournalWriter.Flush.ON_CLOSE));
  }

  void write(CommandSpec spec, Map<String, String> settings, SimulationResult result) {
    PrintWriter out = spec.commandLine().getOut();
    if (json != null) {
      write(out, json, ResultJson.of(settings, result));
    }
    if (csv != null) {
      StringBuilder rows = new StringBuilder();
      ResultCsv.write(result, rows);
      write(out, csv, rows);
    }
    if (!STDOUT.equals(json) && !STDOUT.equals(csv)) {
      SummaryText.of(settings, result).forEach(out::println);
    }
    out.flush();
  }

  private static void write(PrintWriter out, String target, CharSequence text) {
    if (target.equals(STDOUT)) {
      out.append(text);
      return;
    }
    try {
      Files.writeString(Path.of(target), text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write '" + target + "': " + e, e);
    }
  }
}
