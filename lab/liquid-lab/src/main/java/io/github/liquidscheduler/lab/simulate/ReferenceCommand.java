package io.github.liquidscheduler.lab.simulate;

import io.github.liquidscheduler.cli.ElasticOptionGroup;
import io.github.liquidscheduler.cli.SummaryText;
import io.github.liquidscheduler.cli.cluster.ClusterOption;
import io.github.liquidscheduler.cli.output.DurationArgument;
import io.github.liquidscheduler.cli.output.ResultOutputs;
import io.github.liquidscheduler.cli.output.ShellCommand;
import io.github.liquidscheduler.cli.simulation.OptionGroup;
import io.github.liquidscheduler.cli.simulation.SimulateConditions;
import io.github.liquidscheduler.cli.simulation.TraceOptions;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.simulator.RunSummary;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import io.github.liquidscheduler.simulator.output.MoreFigures;
import io.github.liquidscheduler.simulator.output.ResultCsv;
import io.github.liquidscheduler.simulator.output.ResultJson;
import io.github.liquidscheduler.simulator.report.HtmlReport;
import io.github.liquidscheduler.simulator.report.RoundTimeline;
import io.github.liquidscheduler.simulator.rounds.TraceRounds;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.trace.TraceSource;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import io.github.liquidscheduler.text.Count;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a trace in a published simulator. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    customSynopsis =
        "liquid-lab simulate --reference=SIMULATOR --trace=FILE --cluster=CLUSTER [OPTION...]",
    description = {
      "Simulates a trace in a published simulator, and prints job completion times and utilization."
          + " Without --reference it is the command of liquid, with more placers by name.",
      ""
    },
    footer = {
      "",
      """
      Examples:
        liquid-lab simulate --trace 60_job.csv --format tiresias --cluster 3x4xP100 \\
            --reference tiresias --policy dlas-gpu --json -
        liquid-lab simulate --trace jobs.csv --format tiresias --cluster 8x8xP100 \\
            --reference backfill --policy easy --reservations 4
        liquid-lab simulate --trace msr.trace --format gavel --cluster 8xV100,16xP100,24xK80 \\
            --throughputs simulation_throughputs.json --reference gavel --policy fifo_perf
        liquid-lab simulate --trace jobs.csv --format elastic --curves curves.csv \\
            --cluster 64xA100 --reference elastic --policy elastic-tiresias\
      """,
      "",
      DurationArgument.FORM,
      "",
      SummaryText.DEFINITIONS
    })
public final class ReferenceCommand implements Callable<Integer> {

  @Mixin private final TraceOptions trace = new TraceOptions();

  @Mixin private final ClusterOption cluster = new ClusterOption();

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description = "Policy of the simulator (default: ${DEFAULT-VALUE}).")
  private String policy = "fifo";

  @Mixin private final ReferenceOptions reference = new ReferenceOptions();

  @ArgGroup(validate = false, heading = "%nElastic jobs (with --reference elastic):%n")
  private final ElasticOptionGroup elastic = new ElasticOptionGroup();

  @ArgGroup(validate = false, heading = "%nConditions:%n")
  private final SimulateConditions conditions = new SimulateConditions();

  @ArgGroup(validate = false, heading = "%nResults (default: a summary as text):%n")
  private final ResultOutputs outputs = new ResultOutputs();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    outputs.check(spec);
    reference.check();
    if (reference.isElastic() != trace.format().equals(ElasticTrace.FORMAT)) {
      throw usage("--format elastic needs --reference elastic, which needs it");
    }
    elastic.check(spec, reference.isElastic(), trace.format());
    OptionGroup.of(SimulateConditions.class)
        .except(reference.conditions())
        .refuse(spec, "a reference simulator supports none of the conditions");
    if (outputs.isReported() && !reference.isRounds()) {
      throw usage("a reference simulator records nothing for --html, but for --reference rounds");
    }
    if (reference.isElastic()) {
      trace.refuseReading();
      runElastic();
    } else {
      run();
    }
    return 0;
  }

  private void runElastic() {
    SimulationResult result =
        new ElasticReference(elastic, spec).run(trace.file(), cluster.get().gpuCount(), policy);
    Map<String, String> settings = settings(0);
    elastic.addTo(settings);
    write(settings, result);
  }

  private void run() {
    TraceSource read = trace.open();
    TraceSource jobs =
        reference.isRounds()
            ? conditions.measured(read, "on every", this::runsEverywhere)
            : conditions.measured(read, cluster.get());
    Map<String, String> settings = settings(read.size() - jobs.size());
    trace.addTo(settings, read);
    write(
        settings,
        reference.isRounds()
            ? rounds(jobs.held(), settings)
            : reference.run(jobs.held(), cluster.get(), policy, conditions));
  }

  private boolean runsEverywhere(ThroughputTable table, TraceJob job) {
    return table.knows(job)
        && cluster.get().gpusByModel().keySet().stream()
            .allMatch(model -> table.iterationsPerSecond(job, model) > 0);
  }

  private SimulationResult rounds(Trace jobs, Map<String, String> settings) {
    RoundPlan plan = reference.plan(jobs, cluster.get(), policy, conditions);
    SimulationResult result = TraceRounds.run(jobs, plan);
    if (outputs.isReported()) {
      String input =
          "%s of %s on %s"
              .formatted(
                  Count.of(jobs.jobs().size(), "job"),
                  settings.get("trace"),
                  settings.get("cluster"));
      HtmlReport report = new HtmlReport(jobs, cluster.get(), input, ShellCommand.running(spec));
      report.add(policy, RoundTimeline.of(jobs, plan), result);
      outputs.writeReport(spec.commandLine().getOut(), report::appendTo);
    }
    return result;
  }

  private void write(Map<String, String> settings, SimulationResult result) {
    PrintWriter out = spec.commandLine().getOut();
    outputs.writeRows(out, text -> ResultCsv.write(result, text));
    RunSummary summary = result.summary();
    outputs.writeJson(out, text -> text.append(ResultJson.of(settings, summary, MoreFigures.NONE)));
    if (outputs.areText()) {
      SummaryText.of(settings, summary).forEach(out::println);
    }
    out.flush();
  }

  private Map<String, String> settings(int skipped) {
    Map<String, String> settings = trace.settings();
    if (skipped > 0) {
      settings.put("skipped", Count.of(skipped, "job") + " without a measured speed");
    }
    settings.put("cluster", ClusterOption.asGiven(spec));
    settings.put("policy", policy);
    reference.addTo(settings);
    return settings;
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
