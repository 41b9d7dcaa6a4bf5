package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.forecast.ForecastOptions;
import io.github.liquidscheduler.cli.output.HtmlOutput;
import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.cli.queues.FairnessText;
import io.github.liquidscheduler.cli.simulation.OptionGroup;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.RunSummary;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationListener;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.output.MoreFigures;
import io.github.liquidscheduler.simulator.output.ResultCsv;
import io.github.liquidscheduler.simulator.output.ResultJson;
import io.github.liquidscheduler.simulator.report.HtmlReport;
import io.github.liquidscheduler.simulator.report.RunRecorder;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceSource;
import java.io.PrintWriter;
import java.util.Map;
import java.util.function.Function;
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

  @Option(
      names = "--html",
      paramLabel = "FILE",
      converter = HtmlOutput.class,
      description = "Write a report for a browser as one HTML file (not with --reference).")
  private @Nullable OutputFile html;

  void check(CommandSpec spec) {
    if (isPrinted(json) && isPrinted(csv)) {
      throw new ParameterException(
          spec.commandLine(), "only one of --json and --csv can go to the standard output");
    }
  }

  /** Refuses all of them, since a comparison has no single result. */
  void refuseAny(CommandSpec spec) {
    OptionGroup.of(SimulateOutputs.class)
        .refuse(spec, "--estimator compare supports none of --json, --csv, --html and --journal");
  }

  void refuseJournal(CommandSpec spec) {
    if (html != null) {
      throw new ParameterException(
          spec.commandLine(), "a reference simulator records nothing for --html");
    }
    if (journal != null) {
      throw new ParameterException(
          spec.commandLine(), "a reference simulator has no events for --journal");
    }
  }

  /** Returns the listener of the simulation, to be closed after it. */
  private RunWatcher watcher(LiquidScheduler scheduler, Map<String, String> settings) {
    if (journal == null) {
      return RunWatcher.withoutJournal();
    }
    JournalHeader.Builder header = JournalHeader.builder(scheduler).recordDecisions(true);
    settings.forEach(header::setting);
    return RunWatcher.writing(journal, header.build());
  }

  /** Runs a simulation, and writes what there is to be written of it meanwhile. */
  SimulationResult run(
      CommandSpec spec,
      Simulation.Builder simulation,
      LiquidScheduler scheduler,
      Trace trace,
      Map<String, String> settings) {
    if (html == null) {
      return watched(spec, simulation, scheduler, settings, Simulation::run);
    }
    ClusterTopology topology = scheduler.view().topology();
    RunRecorder recorder = new RunRecorder(topology, trace);
    simulation.listener(recorder);
    SimulationResult result = watched(spec, simulation, scheduler, settings, Simulation::run);
    String input =
        "%d jobs of %s on %s"
            .formatted(trace.jobs().size(), settings.get("trace"), settings.get("cluster"));
    HtmlReport report = new HtmlReport(trace, topology, input, commandLine(spec));
    report.add(String.valueOf(settings.get("policy")), recorder, result);
    html.writeText(spec.commandLine().getOut(), report::appendTo);
    return result;
  }

  /** Does the same without holding the jobs, unless a report needs them. */
  RunSummary summarize(
      CommandSpec spec,
      Simulation.Builder simulation,
      LiquidScheduler scheduler,
      TraceSource trace,
      Map<String, String> settings) {
    return html == null
        ? watched(spec, simulation, scheduler, settings, Simulation::summarize)
        : run(spec, simulation, scheduler, trace.held(), settings).summary();
  }

  /** Runs a simulation while its journal is written, and the rows of its jobs as they end. */
  private <T> T watched(
      CommandSpec spec,
      Simulation.Builder simulation,
      LiquidScheduler scheduler,
      Map<String, String> settings,
      Function<Simulation, T> way) {
    try (RunWatcher watcher = watcher(scheduler, settings)) {
      simulation.listener(watcher);
      return csv == null
          ? way.apply(simulation.build())
          : csv.writeTextOf(
              spec.commandLine().getOut(),
              text -> way.apply(simulation.listener(new JobRows(new ResultCsv(text))).build()));
    }
  }

  /** Writes what became of each job when it ended. */
  private record JobRows(ResultCsv rows) implements SimulationListener {
    @Override
    public void ended(JobFate fate) {
      rows.add(fate);
    }
  }

  private static String commandLine(CommandSpec spec) {
    return "bin/liquid simulate "
        + String.join(" ", spec.commandLine().getParseResult().originalArgs());
  }

  /** Writes the rows of the jobs of a run that was not watched. */
  void writeJobs(CommandSpec spec, SimulationResult result) {
    if (csv != null) {
      csv.writeText(spec.commandLine().getOut(), text -> ResultCsv.write(result, text));
    }
  }

  void write(CommandSpec spec, Map<String, String> settings, RunSummary result, MoreFigures more) {
    PrintWriter out = spec.commandLine().getOut();
    if (json != null) {
      json.writeText(out, text -> text.append(ResultJson.of(settings, result, more)));
    }
    if (areText()) {
      SummaryText.of(settings, result).forEach(out::println);
      more.forecasts().map(ForecastOptions::text).ifPresent(lines -> lines.forEach(out::println));
      more.fairness().map(FairnessText::of).ifPresent(lines -> lines.forEach(out::println));
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
