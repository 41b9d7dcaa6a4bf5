package io.github.liquidscheduler.cli.compare;

import io.github.liquidscheduler.cli.cluster.ClusterOption;
import io.github.liquidscheduler.cli.comparison.ComparisonTable;
import io.github.liquidscheduler.cli.comparison.ParallelRuns;
import io.github.liquidscheduler.cli.comparison.PolicyChoice;
import io.github.liquidscheduler.cli.output.DurationArgument;
import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.cli.output.ResultOutputs;
import io.github.liquidscheduler.cli.output.ShellCommand;
import io.github.liquidscheduler.cli.simulation.SimulateConditions;
import io.github.liquidscheduler.cli.simulation.TraceOptions;
import io.github.liquidscheduler.cli.sweep.LocalSweep;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.comparison.ComparedPoliciesCsv;
import io.github.liquidscheduler.simulator.comparison.ComparedPoliciesJson;
import io.github.liquidscheduler.simulator.comparison.ComparedPolicy;
import io.github.liquidscheduler.simulator.comparison.ComparedSetting;
import io.github.liquidscheduler.simulator.comparison.RunFigures;
import io.github.liquidscheduler.simulator.comparison.TraceResampling;
import io.github.liquidscheduler.simulator.report.HtmlReport;
import io.github.liquidscheduler.simulator.report.RunRecorder;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.text.Count;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs policies and placement algorithms on draws from one trace. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    customSynopsis = {
      "liquid compare --trace=FILE [--format=FORMAT] --cluster=CLUSTER --policies=A,B"
          + " [OPTION...]",
      "       liquid compare --sweep=FILE [OPTION...]",
    },
    description = {
      "Compares scheduling policies and placement algorithms on a trace, and on traces that could"
          + " have come instead: means, confidence intervals, and differences from the first.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  liquid compare --trace jobs.csv --cluster 8x8xA100 --policies fifo,srtf,las",
      "  liquid compare --trace philly.csv.gz --format philly --cluster 38x8xP100 \\",
      "      --policies fifo,fifo+easy,fifo+conservative --seeds 10 --html report.html",
      "  liquid compare --trace jobs.csv --cluster cluster.json --policies sjf \\",
      "      --placers best-fit,least-cost,random --json -",
      "  liquid compare --sweep night.json --csv runs.csv --html report.html",
      "",
      "Draw 0 is the trace itself. The others are put together from blocks of consecutive jobs,"
          + " drawn with replacement (circular block bootstrap), as many jobs as in the trace. All"
          + " policies run on the same draws. docs/simulation.md defines the figures, and describes"
          + " the file of a sweep. "
          + DurationArgument.FORM
    })
public final class CompareCommand implements Callable<Integer> {
  private static final int MOST_SEEDS = 1000;
  private static final int MOST_THREADS = 1024;

  @Mixin private final TraceOptions trace = new TraceOptions();

  @Mixin private final ClusterOption cluster = new ClusterOption();

  @Option(
      names = "--policies",
      required = true,
      paramLabel = "POLICY",
      split = ",",
      description =
          "Scheduling policies, the first of which the others are compared with: fifo,"
              + " best-effort-fifo, priority, guaranteed-first, sjf, saf, srtf, las or fair-share."
              + " Those that do not pre-empt may have backfill: fifo+easy, fifo+conservative.")
  private List<String> policies = List.of();

  @Option(
      names = "--placers",
      paramLabel = "PLACER",
      split = ",",
      defaultValue = "best-fit",
      description =
          "Placement algorithms, each with each policy: best-fit, least-cost, fgd, random,"
              + " even-spread, least-allocated, pack, buddy-cells or liquid (default:"
              + " ${DEFAULT-VALUE}).")
  private List<String> placers = List.of();

  @Option(
      names = "--seeds",
      paramLabel = "DRAWS",
      defaultValue = "5",
      description =
          "Number of draws, from 1 to 1000; of 1 only the trace runs (default:"
              + " ${DEFAULT-VALUE}).")
  private int seeds;

  @Option(
      names = "--block",
      paramLabel = "JOBS",
      description =
          "How many consecutive jobs are drawn together, at least 1 (default: the root of the"
              + " number of jobs).")
  private @Nullable Integer block;

  @Option(
      names = "--threads",
      paramLabel = "RUNS",
      description = "How many runs at a time, from 1 to 1024 (default: one for each processor).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @ArgGroup(validate = false, heading = "%nA sweep, which says itself what runs:%n")
  private final SweepOptions sweep = new SweepOptions();

  @ArgGroup(validate = false, heading = "%nConditions:%n")
  private final SimulateConditions conditions = new SimulateConditions();

  @ArgGroup(validate = false, heading = "%nResults (default: a table):%n")
  private final ResultOutputs outputs = new ResultOutputs();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    check();
    if (sweep.file() != null) {
      sweep.refuseOthers(spec);
      LocalSweep.run(spec, sweep.file(), sweep.folder(), threads, outputs);
      return 0;
    }
    sweep.refuseFolder(spec);
    List<PolicyChoice> choices = choices();
    Trace jobs = conditions.measured(trace.open(), cluster.get()).held();
    TraceResampling resampling =
        block == null ? TraceResampling.inRootBlocks(jobs) : new TraceResampling(block);
    List<Callable<Ran>> runs = new ArrayList<>();
    for (PolicyChoice choice : choices) {
      for (int i = 0; i < seeds; i++) {
        int draw = i;
        runs.add(() -> run(choice, resampling.draw(jobs, draw, conditions.seed()), draw));
      }
    }
    List<Ran> results = ParallelRuns.of(runs, threads);
    write(jobs, resampling, choices, results);
    return 0;
  }

  private void check() {
    outputs.check(spec);
    OptionRules.refuseIf(
        spec, seeds < 1 || seeds > MOST_SEEDS, "--seeds must be from 1 to 1000, but was " + seeds);
    OptionRules.refuseIf(
        spec,
        threads < 1 || threads > MOST_THREADS,
        "--threads must be from 1 to 1024, but was " + threads);
    OptionRules.refuseIf(
        spec, block != null && block < 1, "--block must be at least 1, but was " + block);
  }

  private List<PolicyChoice> choices() {
    List<PolicyChoice> choices = new ArrayList<>();
    for (String policy : policies) {
      for (String placer : placers) {
        PolicyChoice choice = new PolicyChoice(policy, placer);
        OptionRules.refuseIf(
            spec, choices.contains(choice), policy + " with " + placer + " is named twice");
        choices.add(choice);
      }
    }
    return choices;
  }

  private Ran run(PolicyChoice choice, Trace drawn, int draw) {
    ClusterTopology topology = cluster.get();
    long seed = conditions.seed() + draw;
    Simulation.Builder simulation = Simulation.builder(drawn, choice.scheduler(topology, seed));
    conditions.apply(simulation, topology, seed);
    if (draw > 0 || !outputs.isReported()) {
      return new Ran(RunFigures.of(simulation.build().run()), null);
    }
    RunRecorder recorder = new RunRecorder(topology, drawn);
    SimulationResult result = simulation.listener(recorder).build().run();
    return new Ran(RunFigures.of(result), new Seen(recorder, result));
  }

  private void write(
      Trace jobs, TraceResampling resampling, List<PolicyChoice> choices, List<Ran> results) {
    List<ComparedPolicy> compared = new ArrayList<>();
    HtmlReport report = newReport(jobs);
    for (int i = 0; i < choices.size(); i++) {
      PolicyChoice choice = choices.get(i);
      List<Ran> own = results.subList(i * seeds, (i + 1) * seeds);
      List<RunFigures> figures = own.stream().map(Ran::figures).toList();
      compared.add(new ComparedPolicy(choice.policy(), choice.placer(), figures));
      Seen seen = own.getFirst().seen();
      if (seen != null) {
        report.add(name(choice), seen.recorder(), seen.result(), figures);
      }
    }
    write(new ComparedSetting(settings(jobs, resampling), compared), report);
  }

  private void write(ComparedSetting compared, HtmlReport report) {
    PrintWriter out = spec.commandLine().getOut();
    outputs.writeJson(out, text -> text.append(ComparedPoliciesJson.of(compared)));
    List<ComparedSetting> only = List.of(ComparedSetting.only(compared.policies()));
    outputs.writeRows(out, text -> ComparedPoliciesCsv.write(only, text));
    outputs.writeReport(out, report::appendTo);
    if (outputs.areText()) {
      new ComparisonTable(only, List.of()).print(out);
    }
    out.flush();
  }

  private String name(PolicyChoice choice) {
    return placers.size() == 1 ? choice.policy() : choice.policy() + ", " + choice.placer();
  }

  private HtmlReport newReport(Trace jobs) {
    String input =
        "%s of %s on %s"
            .formatted(
                Count.of(jobs.jobs().size(), "job"), trace.file(), ClusterOption.asGiven(spec));
    return new HtmlReport(jobs, cluster.get(), input, ShellCommand.running(spec));
  }

  private Map<String, String> settings(Trace jobs, TraceResampling resampling) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("trace", trace.file().toString());
    settings.put("format", trace.format());
    trace.addTo(settings, jobs);
    settings.put("cluster", ClusterOption.asGiven(spec));
    settings.put("seed", Long.toString(conditions.seed()));
    settings.put("draws", Integer.toString(seeds));
    settings.put("block", Integer.toString(resampling.block()));
    return settings;
  }

  /** The record of a run: its figures, and the parts of the trace that a report shows. */
  private record Ran(RunFigures figures, @Nullable Seen seen) {}

  private record Seen(RunRecorder recorder, SimulationResult result) {}
}
