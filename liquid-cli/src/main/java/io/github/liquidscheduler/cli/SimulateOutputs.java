package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.forecast.ForecastOptions;
import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.cli.output.ResultOutputs;
import io.github.liquidscheduler.cli.output.ShellCommand;
import io.github.liquidscheduler.cli.queues.FairnessText;
import io.github.liquidscheduler.cli.sharing.SharingText;
import io.github.liquidscheduler.cli.simulation.OptionGroup;
import io.github.liquidscheduler.cli.storage.LaunchText;
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
import io.github.liquidscheduler.text.Count;
import java.io.PrintWriter;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of where the results of a simulation go. */
final class SimulateOutputs {

  @ArgGroup(validate = false)
  private final ResultOutputs files = new ResultOutputs();

  @Option(
      names = "--journal",
      paramLabel = "FILE",
      converter = OutputFile.Converter.class,
      description = "Record all events and decisions in a new file, for liquid replay.")
  private @Nullable OutputFile journal;

  void check(CommandSpec spec) {
    files.check(spec);
  }

  /** Refuses all of them, since a comparison has no single result. */
  void refuseAny(CommandSpec spec) {
    String why = "--estimator compare supports none of --json, --csv, --html and --journal";
    OptionGroup.of(ResultOutputs.class).refuse(spec, why);
    OptionGroup.of(SimulateOutputs.class).refuse(spec, why);
  }

  /** Refuses a journal of jobs that share GPUs: it does not tell what they lose beside others. */
  void refuseJournal(CommandSpec spec) {
    OptionRules.refuseIf(
        spec, journal != null, "--slowdowns supports no --journal: it cannot be replayed");
  }

  private RunWatcher watcher(LiquidScheduler scheduler, Map<String, String> settings) {
    if (journal == null) {
      return RunWatcher.withoutJournal();
    }
    JournalHeader.Builder header = JournalHeader.builder(scheduler).recordDecisions(true);
    settings.forEach(header::setting);
    return RunWatcher.writing(journal, header.build());
  }

  /** Runs a simulation, and writes its outputs on the way. */
  SimulationResult run(
      CommandSpec spec,
      Simulation.Builder simulation,
      LiquidScheduler scheduler,
      Trace trace,
      Map<String, String> settings) {
    if (!files.isReported()) {
      return watched(spec, simulation, scheduler, settings, Simulation::run);
    }
    ClusterTopology topology = scheduler.view().topology();
    RunRecorder recorder = new RunRecorder(topology, trace, trace.start());
    simulation.listener(recorder);
    SimulationResult result = watched(spec, simulation, scheduler, settings, Simulation::run);
    HtmlReport report = newReport(spec, settings, topology, trace);
    report.add(String.valueOf(settings.get("policy")), recorder, result);
    files.writeReport(spec.commandLine().getOut(), report::appendTo);
    return result;
  }

  private static HtmlReport newReport(
      CommandSpec spec, Map<String, String> settings, ClusterTopology topology, Trace trace) {
    String input =
        "%s of %s on %s"
            .formatted(
                Count.of(trace.jobs().size(), "job"),
                settings.get("trace"),
                settings.get("cluster"));
    return new HtmlReport(trace, topology, input, ShellCommand.running(spec));
  }

  /** Does the same without holding the jobs, unless a report needs them. */
  RunSummary summarize(
      CommandSpec spec,
      Simulation.Builder simulation,
      LiquidScheduler scheduler,
      TraceSource trace,
      Map<String, String> settings) {
    return files.isReported()
        ? run(spec, simulation, scheduler, trace.held(), settings).summary()
        : watched(spec, simulation, scheduler, settings, Simulation::summarize);
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
      return files.hasRows()
          ? files
              .rows()
              .writeTextOf(
                  spec.commandLine().getOut(),
                  text -> way.apply(simulation.listener(new JobRows(new ResultCsv(text))).build()))
          : way.apply(simulation.build());
    }
  }

  private record JobRows(ResultCsv rows) implements SimulationListener {
    @Override
    public void ended(JobFate fate) {
      rows.add(fate);
    }
  }

  void write(CommandSpec spec, Map<String, String> settings, RunSummary result, MoreFigures more) {
    PrintWriter out = spec.commandLine().getOut();
    files.writeJson(out, text -> text.append(ResultJson.of(settings, result, more)));
    if (areText()) {
      SummaryText.of(settings, result).forEach(out::println);
      result
          .counts()
          .launches()
          .map(LaunchText::of)
          .ifPresent(lines -> lines.forEach(out::println));
      more.sharing().map(SharingText::of).ifPresent(lines -> lines.forEach(out::println));
      more.forecasts().map(ForecastOptions::text).ifPresent(lines -> lines.forEach(out::println));
      more.fairness().map(FairnessText::of).ifPresent(lines -> lines.forEach(out::println));
    }
    out.flush();
  }

  /** Returns true if the standard output is for people. */
  boolean areText() {
    return files.areText();
  }
}
