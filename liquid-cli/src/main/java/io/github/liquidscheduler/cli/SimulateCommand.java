package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.cluster.ClusterOption;
import io.github.liquidscheduler.cli.forecast.ForecastOptions;
import io.github.liquidscheduler.cli.output.DurationArgument;
import io.github.liquidscheduler.cli.queues.FairnessText;
import io.github.liquidscheduler.cli.queues.QueueOptions;
import io.github.liquidscheduler.cli.sharing.SharingText;
import io.github.liquidscheduler.cli.simulation.OptionGroup;
import io.github.liquidscheduler.cli.simulation.SimulateConditions;
import io.github.liquidscheduler.cli.simulation.StragglerOptions;
import io.github.liquidscheduler.cli.simulation.TraceOptions;
import io.github.liquidscheduler.cli.storage.LaunchText;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.simulator.RunSummary;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import io.github.liquidscheduler.simulator.fairness.FairnessReport;
import io.github.liquidscheduler.simulator.output.MoreFigures;
import io.github.liquidscheduler.simulator.trace.TraceSource;
import io.github.liquidscheduler.text.Count;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs a trace against the scheduler in virtual time. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    customSynopsis = "liquid simulate --trace=FILE [--format=FORMAT] --cluster=CLUSTER [OPTION...]",
    description = {
      "Simulates a trace on a cluster in virtual time, with the same scheduler that you embed, and"
          + " prints job completion times and utilization.",
      ""
    },
    footer = {
      "",
      """
      Examples:
        liquid simulate --trace jobs.csv --cluster 3x4xP100
        liquid simulate --trace jobs.csv --cluster 3x4xP100 --load 2 \\
            --columns submit_time=arrival,num_gpu=gpus,duration=seconds
        liquid simulate --trace philly.csv.gz --format philly --cluster 38x8xP100 \\
            --policy las --json result.json --csv jobs.csv
        liquid simulate --trace 60_job.csv --format tiresias --cluster 3x4xP100 \\
            --policy srtf --html report.html
        liquid simulate --trace msr.trace --format gavel --cluster 8xV100,16xP100,24xK80 \\
            --throughputs simulation_throughputs.json --policy srtf
        liquid simulate --trace msr.trace --format gavel --cluster 8xV100,16xP100,24xK80 \\
            --throughputs simulation_throughputs.json --policy las --gpu-speeds known \\
            --move-pause 60s
        liquid simulate --trace philly.csv.gz --format philly --cluster 20x8xA100 \\
            --policy best-effort-fifo --over-request 2 --estimator compare
        liquid simulate --trace 60_job.csv --format tiresias --cluster 3x4xP100 \\
            --mode batch --window 15s --planner timefold
        liquid simulate --trace jobs.csv --format tiresias --cluster 8x8xP100 \\
            --backfill easy --reservations 4
        liquid simulate --trace philly.csv.gz --format philly --cluster 38x8xP100 \\
            --queues queues.json
        liquid simulate --trace jobs.csv --cluster 2x8xA100 --storage-bandwidth 10Gbit/s \\
            --node-disk 1TiB --prefetch predicted --most-wasted 0.1
        liquid simulate --trace jobs.csv --cluster 2x8xA100 --slowdowns pairs.csv \\
            --policy best-effort-fifo --mode batch --colocate measured
        liquid simulate --trace jobs.csv --format elastic --curves curves.csv \\
            --cluster 8x8xA100 --elastic elastic-tiresias --pending-limit 0\
      """,
      "",
      DurationArgument.FORM + " docs/simulation.md describes the formats of traces and results.",
      "",
      SummaryText.DEFINITIONS,
      FairnessText.DEFINITIONS,
      ForecastOptions.DEFINITIONS,
      SharingText.DEFINITIONS,
      LaunchText.DEFINITIONS
    })
public final class SimulateCommand implements Callable<Integer> {

  @Mixin private final TraceOptions trace = new TraceOptions();

  @Mixin private final SchedulerOptions options = new SchedulerOptions();

  @ArgGroup(validate = false, heading = "%nElastic jobs (with --format elastic):%n")
  private final ElasticOptionGroup elastic = new ElasticOptionGroup();

  @ArgGroup(validate = false, heading = "%nSizes of elastic jobs:%n")
  private final ElasticModeOptions mode = new ElasticModeOptions();

  @ArgGroup(validate = false, heading = "%nStragglers (with --elastic):%n")
  private final StragglerOptions stragglers = new StragglerOptions();

  @ArgGroup(validate = false, heading = "%nQueues:%n")
  private final QueueOptions queues = new QueueOptions();

  @ArgGroup(validate = false, heading = "%nForecasts:%n")
  private final ForecastOptions forecasts = new ForecastOptions();

  @ArgGroup(
      validate = false,
      heading = "%nResource requests and usage (any of these enables GPU sharing):%n")
  private final SimulateRequests requests = new SimulateRequests();

  @ArgGroup(validate = false, heading = "%nResults (default: a summary as text):%n")
  private final SimulateOutputs outputs = new SimulateOutputs();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    outputs.check(spec);
    if (options.slowdowns().isGiven()) {
      outputs.refuseJournal(spec);
    }
    options.check(spec, mode.isGiven(), requests.isAny(spec));
    queues.check(spec, mode.isGiven() || requests.isComparison());
    options
        .storage()
        .check(
            spec,
            mode.isGiven()
                || requests.isComparison()
                || trace.format().equals(ElasticTrace.FORMAT));
    elastic.check(spec, mode.isGiven(), trace.format());
    if (!mode.isGiven()) {
      OptionGroup.of(StragglerOptions.class).refuse(spec, "stragglers need --elastic");
    }
    if (trace.format().equals(ElasticTrace.FORMAT)) {
      trace.refuseReading();
      simulateSizes();
      return 0;
    }
    options.slowdowns().checkFormat(spec, trace.format());
    TraceSource read = trace.open();
    options.storage().check(read);
    TraceSource timed = conditions().measured(read, cluster());
    TraceSource jobs = options.slowdowns().find(spec, timed, cluster(), conditions().speed());
    Map<String, String> settings = settings(read.size() - jobs.size());
    trace.addTo(settings, read);
    if (requests.isComparison()) {
      outputs.refuseAny(spec);
      RequestComparison.run(requests, jobs.held(), options, this::scheduler)
          .print(spec.commandLine().getOut());
    } else {
      simulate(jobs, settings);
      options.slowdowns().close();
    }
    return 0;
  }

  private void simulate(TraceSource jobs, Map<String, String> settings) {
    LiquidScheduler scheduler = scheduler();
    Simulation.Builder simulation = options.simulation(jobs, scheduler);
    if (requests.isAny(spec)) {
      requests.apply(simulation, options);
    }
    forecasts.apply(simulation);
    if (!queues.isGiven()) {
      RunSummary summary = outputs.summarize(spec, simulation, scheduler, jobs, settings);
      report(jobs, settings, summary, Optional.empty());
      return;
    }
    queues.apply(simulation, jobs);
    SimulationResult result = outputs.run(spec, simulation, scheduler, jobs.held(), settings);
    report(jobs, settings, result.summary(), queues.report(result, cluster().gpuCount()));
  }

  private void report(
      TraceSource jobs,
      Map<String, String> settings,
      RunSummary summary,
      Optional<FairnessReport> fairness) {
    outputs.write(spec, settings, summary, figures(fairness));
    if (outputs.areText()) {
      note(jobs, summary);
    }
  }

  private MoreFigures figures(Optional<FairnessReport> fairness) {
    return new MoreFigures(fairness, forecasts.report(), options.slowdowns().report());
  }

  private void note(TraceSource jobs, RunSummary result) {
    Optional<String> note =
        options.slowdowns().isGiven()
            ? SimulationNotes.ofSharing(exclusive(jobs))
            : options.batch().isBatch()
                ? SimulationNotes.ofBatches(result, immediate(jobs))
                : SimulationNotes.ofPolicy(options.scheduling().policy(), jobs, result);
    note.ifPresent(text -> spec.commandLine().getOut().printf("%n%s%n", text));
  }

  private RunSummary exclusive(TraceSource jobs) {
    Simulation.Builder simulation = options.exclusive(jobs, policy());
    if (queues.isGiven()) {
      queues.apply(simulation, jobs);
    }
    return simulation.build().summarize();
  }

  private RunSummary immediate(TraceSource jobs) {
    Simulation.Builder simulation = Simulation.builder(jobs, options.immediate(policy()).build());
    conditions().apply(simulation, cluster(), conditions().seed());
    options.storage().apply(simulation);
    if (requests.isAny(spec)) {
      requests.apply(simulation, options);
    }
    if (queues.isGiven()) {
      queues.apply(simulation, jobs);
    }
    return simulation.build().summarize();
  }

  private LiquidScheduler scheduler() {
    return options.scheduler(policy());
  }

  private ClusterTopology cluster() {
    return options.cluster();
  }

  private SimulateConditions conditions() {
    return options.conditions();
  }

  /** Lets the scheduler itself change the sizes of jobs. */
  private void simulateSizes() {
    requests.refuseAny(spec);
    ElasticRuns runs = elastic.runs(spec, trace.file(), cluster(), mode);
    LiquidScheduler.Builder resizing = options.immediate(policy());
    runs.apply(resizing);
    options.batch().apply(resizing);
    LiquidScheduler scheduler = resizing.build();
    Simulation.Builder simulation = options.simulation(runs.trace(), scheduler);
    runs.apply(simulation);
    stragglers.of(conditions().seed()).ifPresent(simulation::stragglers);
    Map<String, String> settings = settings(0);
    elastic.addTo(settings);
    mode.addTo(settings);
    stragglers.addTo(settings);
    SimulationResult result = outputs.run(spec, simulation, scheduler, runs.trace(), settings);
    outputs.write(spec, settings, result.summary(), MoreFigures.NONE);
    if (outputs.areText()) {
      runs.deadlines(result).ifPresent(text -> spec.commandLine().getOut().printf("%n%s%n", text));
      spec.commandLine().getOut().flush();
    }
  }

  /** Returns the name of the policy; elastic jobs and queues have other defaults. */
  private String policy() {
    if (spec.commandLine().getParseResult().hasMatchedOption("--policy")) {
      return options.scheduling().policy();
    }
    if (mode.isGiven()) {
      return mode.policy();
    }
    return queues.isGiven() ? QueueOptions.POLICY : options.scheduling().policy();
  }

  private Map<String, String> settings(int skipped) {
    Map<String, String> settings = trace.settings();
    if (skipped > 0) {
      settings.put("skipped", Count.of(skipped, "job") + " without a measured speed");
    }
    settings.put("cluster", ClusterOption.asGiven(spec));
    settings.put("policy", policy());
    options.addPlacerTo(settings);
    if (requests.isAny(spec)) {
      requests.addTo(settings);
    }
    options.addTo(settings);
    queues.addTo(settings);
    return settings;
  }
}
