package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.cluster.ClusterOption;
import io.github.liquidscheduler.cli.forecast.ForecastOptions;
import io.github.liquidscheduler.cli.queues.FairnessText;
import io.github.liquidscheduler.cli.queues.QueueOptions;
import io.github.liquidscheduler.cli.simulation.OptionGroup;
import io.github.liquidscheduler.cli.simulation.SchedulingOptions;
import io.github.liquidscheduler.cli.simulation.SimulateConditions;
import io.github.liquidscheduler.cli.simulation.StragglerOptions;
import io.github.liquidscheduler.cli.simulation.TraceOptions;
import io.github.liquidscheduler.planner.rounds.RoundPlan;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.simulator.RunSummary;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.fairness.FairnessReport;
import io.github.liquidscheduler.simulator.output.MoreFigures;
import io.github.liquidscheduler.simulator.reference.elastic.ElasticTrace;
import io.github.liquidscheduler.simulator.rounds.TraceRounds;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceSource;
import io.github.liquidscheduler.simulator.usage.SharedSpeed;
import io.github.liquidscheduler.simulator.usage.TrueUsage;
import io.github.liquidscheduler.simulator.usage.UsefulUse;
import java.util.LinkedHashMap;
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
      "Examples:",
      "  liquid simulate --trace jobs.csv --cluster 3x4xP100",
      "  liquid simulate --trace jobs.csv --cluster 3x4xP100 --load 2 \\",
      "      --columns submit_time=arrival,num_gpu=gpus,duration=seconds",
      "  liquid simulate --trace philly.csv.gz --format philly --cluster 38x8xP100 \\",
      "      --policy las --json result.json --csv jobs.csv",
      "  liquid simulate --trace 60_job.csv --format tiresias --cluster 3x4xP100 \\",
      "      --policy srtf --html report.html",
      "  liquid simulate --trace msr.trace --format gavel --cluster 8xV100,16xP100,24xK80 \\",
      "      --throughputs simulation_throughputs.json --policy srtf",
      "  liquid simulate --trace msr.trace --format gavel --cluster 8xV100,16xP100,24xK80 \\",
      "      --throughputs simulation_throughputs.json --policy las --gpu-speeds known \\",
      "      --move-pause 60s",
      "  liquid simulate --trace philly.csv.gz --format philly --cluster 20x8xA100 \\",
      "      --policy best-effort-fifo --over-request 2 --estimator compare",
      "  liquid simulate --trace 60_job.csv --format tiresias --cluster 3x4xP100 \\",
      "      --mode batch --window 15s --planner timefold",
      "  liquid simulate --trace 60_job.csv --format tiresias --cluster 3x4xP100 \\",
      "      --reference tiresias --policy dlas-gpu --json -",
      "  liquid simulate --trace jobs.csv --format tiresias --cluster 8x8xP100 \\",
      "      --backfill easy --reservations 4",
      "  liquid simulate --trace philly.csv.gz --format philly --cluster 38x8xP100 \\",
      "      --queues queues.json",
      "  liquid simulate --trace jobs.csv --format tiresias --cluster 8x8xP100 \\",
      "      --reference backfill --policy easy --reservations 4",
      "  liquid simulate --trace msr.trace --format gavel --cluster 8xV100,16xP100,24xK80 \\",
      "      --throughputs simulation_throughputs.json --reference gavel --policy fifo_perf",
      "  liquid simulate --trace jobs.csv --format elastic --curves curves.csv \\",
      "      --cluster 64xA100 --reference elastic --policy elastic-tiresias",
      "  liquid simulate --trace jobs.csv --format elastic --curves curves.csv \\",
      "      --cluster 8x8xA100 --elastic elastic-tiresias --pending-limit 0",
      "",
      "Times are seconds, or a number with a unit: 90s, 15m, 2h, 1d. docs/simulation.md describes"
          + " the formats of traces and results.",
      "",
      SummaryText.DEFINITIONS,
      FairnessText.DEFINITIONS,
      ForecastOptions.DEFINITIONS
    })
public final class SimulateCommand implements Callable<Integer> {

  /** A trace has no id twice, so that those of jobs that are over need not be refused. */
  private static final int ENDED_REMEMBERED = 1000;

  @Mixin private final TraceOptions trace = new TraceOptions();

  @Mixin private final ClusterOption cluster = new ClusterOption();

  @Mixin private final SchedulingOptions scheduling = new SchedulingOptions("fifo");

  @Mixin private final ReferenceOptions reference = new ReferenceOptions();

  @ArgGroup(validate = false, heading = "%nElastic jobs (with --format elastic):%n")
  private final ElasticOptionGroup elastic = new ElasticOptionGroup();

  @ArgGroup(validate = false, heading = "%nElastic jobs by the scheduler (not with --reference):%n")
  private final ElasticModeOptions mode = new ElasticModeOptions();

  @ArgGroup(validate = false, heading = "%nStragglers (with --elastic):%n")
  private final StragglerOptions stragglers = new StragglerOptions();

  @ArgGroup(
      validate = false,
      heading = "%nSpeeds on several GPU models (not with --reference or --elastic):%n")
  private final GpuSpeedOptions gpuSpeeds = new GpuSpeedOptions();

  @ArgGroup(validate = false, heading = "%nBackfill (not with --reference):%n")
  private final BackfillOptions backfill = new BackfillOptions();

  @ArgGroup(validate = false, heading = "%nQueues (not with --reference):%n")
  private final QueueOptions queues = new QueueOptions();

  @ArgGroup(validate = false, heading = "%nForecasts (not with --reference):%n")
  private final ForecastOptions forecasts = new ForecastOptions();

  @ArgGroup(validate = false, heading = "%nBatch planning (not with --reference):%n")
  private final BatchOptions batch = new BatchOptions();

  @ArgGroup(validate = false, heading = "%nConditions (not with --reference):%n")
  private final SimulateConditions conditions = new SimulateConditions();

  @ArgGroup(
      validate = false,
      heading =
          "%nResource requests and usage (not with --reference; any of these enables GPU"
              + " sharing):%n")
  private final SimulateRequests requests = new SimulateRequests();

  @ArgGroup(validate = false, heading = "%nResults (default: a summary as text):%n")
  private final SimulateOutputs outputs = new SimulateOutputs();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    outputs.check(spec);
    batch.check(spec, reference.isGiven());
    reference.check(backfill.isGiven());
    boolean isApart =
        reference.isGiven() || batch.isBatch() || mode.isGiven() || requests.isAny(spec);
    gpuSpeeds.check(spec, reference.isGiven() || mode.isGiven());
    backfill.check(spec, policy(), isApart, reference.reservations());
    forecasts.check(spec, reference.isGiven());
    queues.check(
        spec,
        reference.isGiven()
            || batch.isBatch()
            || mode.isGiven()
            || backfill.isGiven()
            || requests.isComparison());
    elastic.check(spec, reference.isElastic(), mode.isGiven(), trace.format());
    if (!mode.isGiven()) {
      OptionGroup.of(StragglerOptions.class).refuse(spec, "stragglers need --elastic");
    }
    if (trace.format().equals(ElasticTrace.FORMAT)) {
      trace.refuseReading();
      simulateElastic();
      return 0;
    }
    TraceSource read = trace.open();
    TraceSource jobs =
        reference.isRounds()
            ? conditions.measuredEverywhere(read, cluster.get())
            : conditions.measured(read, cluster.get());
    Map<String, String> settings = settings(read.size() - jobs.size());
    trace.addTo(settings, read);
    if (reference.isGiven()) {
      refer(jobs.held(), settings);
    } else if (requests.isComparison()) {
      outputs.refuseAny(spec);
      compare(jobs.held());
    } else {
      simulate(jobs, settings);
    }
    return 0;
  }

  private void simulate(TraceSource jobs, Map<String, String> settings) {
    LiquidScheduler scheduler = scheduler();
    Simulation.Builder simulation = simulation(jobs, scheduler);
    if (requests.isAny(spec)) {
      request(simulation, requests.estimator(), requests.truth(conditions.seed()));
    }
    forecasts.apply(simulation);
    if (!queues.isGiven()) {
      RunSummary summary = outputs.summarize(spec, simulation, scheduler, jobs, settings);
      report(jobs, settings, summary, Optional.empty());
      return;
    }
    queues.apply(simulation, jobs);
    SimulationResult result = outputs.run(spec, simulation, scheduler, jobs.held(), settings);
    report(jobs, settings, result.summary(), queues.report(result, cluster.get().gpuCount()));
  }

  private void report(
      TraceSource jobs,
      Map<String, String> settings,
      RunSummary summary,
      Optional<FairnessReport> fairness) {
    outputs.write(spec, settings, summary, new MoreFigures(fairness, forecasts.report()));
    if (outputs.areText()) {
      note(jobs, summary);
    }
  }

  private void note(TraceSource jobs, RunSummary result) {
    Optional<String> note =
        batch.isBatch()
            ? SimulationNotes.ofBatches(result, immediate(jobs))
            : SimulationNotes.ofPolicy(scheduling.policy(), jobs, result);
    note.ifPresent(text -> spec.commandLine().getOut().printf("%n%s%n", text));
  }

  /** Returns what would have been without batches. */
  private RunSummary immediate(TraceSource jobs) {
    Simulation.Builder simulation = Simulation.builder(jobs, immediately().build());
    conditions.apply(simulation, cluster.get());
    if (requests.isAny(spec)) {
      request(simulation, requests.estimator(), requests.truth(conditions.seed()));
    }
    return simulation.build().summarize();
  }

  /** Runs with every request model, and prints the results side by side. */
  private void compare(Trace jobs) {
    TrueUsage truth = requests.truth(conditions.seed());
    RequestComparison comparison = new RequestComparison();
    for (String way : SimulateRequests.ways()) {
      UsefulUse use = new UsefulUse(truth, cluster.get(), jobs);
      Simulation.Builder simulation = simulation(jobs, scheduler());
      request(simulation, way, truth);
      comparison.add(way, simulation.listener(use).build().run(), use);
    }
    comparison.print(spec.commandLine().getOut());
    spec.commandLine().getOut().flush();
  }

  private Simulation.Builder simulation(TraceSource jobs, LiquidScheduler scheduler) {
    Simulation.Builder simulation = Simulation.builder(jobs, scheduler);
    batch.apply(simulation, conditions.seed());
    conditions.apply(simulation, cluster.get());
    simulation.speed(gpuSpeeds.seen(conditions.speed(), conditions.seed()));
    return simulation;
  }

  private void request(Simulation.Builder simulation, String way, TrueUsage truth) {
    simulation
        .requestModel(requests.requestModel(way, truth, cluster.get(), conditions.seed()))
        .speed(SharedSpeed.of(conditions.speed(), truth));
  }

  private LiquidScheduler scheduler() {
    LiquidScheduler.Builder options = immediately();
    batch.apply(options);
    backfill.apply(options, reference.reservations());
    return options.build();
  }

  private LiquidScheduler.Builder immediately() {
    LiquidScheduler.Builder options =
        LiquidScheduler.builder(cluster.get())
            .policy(Policies.named(policy()))
            .placer(scheduling.newPlacer(conditions.seed()))
            .completedJobHistory(ENDED_REMEMBERED);
    gpuSpeeds.apply(options, conditions.speed());
    return options;
  }

  private void simulateElastic() {
    if (mode.isGiven()) {
      simulateSizes();
    } else {
      referToElastic();
    }
  }

  /** Lets the scheduler itself change the sizes of jobs. */
  private void simulateSizes() {
    requests.refuseAny(spec);
    ElasticRuns runs = elastic.runs(spec, trace.file(), cluster.get(), mode);
    LiquidScheduler.Builder options = immediately();
    runs.apply(options);
    batch.apply(options);
    LiquidScheduler scheduler = options.build();
    Simulation.Builder simulation = simulation(runs.trace(), scheduler);
    runs.apply(simulation);
    stragglers.of(conditions.seed()).ifPresent(simulation::stragglers);
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

  private void referToElastic() {
    refuseConditions();
    SimulationResult result = elastic.run(spec, trace.file(), cluster.get(), scheduling.policy());
    Map<String, String> settings = settings(0);
    elastic.addTo(settings);
    outputs.writeJobs(spec, result);
    outputs.write(spec, settings, result.summary(), MoreFigures.NONE);
  }

  /** Returns the name of the policy; elastic jobs and queues have other defaults. */
  private String policy() {
    if (spec.commandLine().getParseResult().hasMatchedOption("--policy")) {
      return scheduling.policy();
    }
    if (mode.isGiven()) {
      return mode.policy();
    }
    return queues.isGiven() ? QueueOptions.POLICY : scheduling.policy();
  }

  private void refuseConditions() {
    conditions.refuseAllBut(reference.conditions(), spec);
    requests.refuseAny(spec);
    outputs.refuseJournal(spec, reference.isRounds());
  }

  private void refer(Trace jobs, Map<String, String> settings) {
    refuseConditions();
    SimulationResult result = reference.isRounds() ? rounds(jobs, settings) : referred(jobs);
    outputs.writeJobs(spec, result);
    outputs.write(spec, settings, result.summary(), MoreFigures.NONE);
  }

  private SimulationResult referred(Trace jobs) {
    return reference.run(
        jobs, cluster.get(), scheduling.policy(), conditions.speed(), conditions.seed());
  }

  private SimulationResult rounds(Trace jobs, Map<String, String> settings) {
    RoundPlan plan = reference.plan(jobs, cluster.get(), scheduling.policy(), conditions.speed());
    SimulationResult result = SimulationResult.of(TraceRounds.run(scheduling.policy(), jobs, plan));
    outputs.writeRounds(spec, settings, cluster.get(), jobs, plan, result);
    return result;
  }

  private Map<String, String> settings(int skipped) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("trace", trace.file().toString());
    settings.put("format", trace.format());
    if (skipped > 0) {
      settings.put("skipped", skipped + " jobs without a measured speed");
    }
    settings.put(
        "cluster",
        spec.commandLine()
            .getParseResult()
            .matchedOption("--cluster")
            .originalStringValues()
            .get(0));
    settings.put("policy", policy());
    if (reference.isGiven()) {
      reference.addTo(settings);
    } else {
      settings.put("placer", scheduling.placer());
      settings.put("seed", Long.toString(conditions.seed()));
      if (requests.isAny(spec)) {
        settings.put("estimator", requests.estimator());
        settings.put("over-request", Double.toString(requests.overRequest()));
      }
      batch.addTo(settings);
      gpuSpeeds.addTo(settings);
      backfill.addTo(settings, reference.reservations());
      queues.addTo(settings);
    }
    return settings;
  }
}
