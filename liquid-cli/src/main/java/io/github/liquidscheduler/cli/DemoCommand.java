package io.github.liquidscheduler.cli;

import static java.util.stream.Collectors.joining;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.cli.output.HtmlOutput;
import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.cli.output.ShellCommand;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.cli.slurm.DemoSlurmCommand;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.metrics.DurationDistribution;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.report.HtmlReport;
import io.github.liquidscheduler.simulator.report.RunRecorder;
import io.github.liquidscheduler.text.Count;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what the library does, without any input. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    subcommands = DemoSlurmCommand.class,
    description = {
      "Simulates 240 sample jobs on a cluster of 32 GPUs under five scheduling policies, compares"
          + " the results, and explains why one job waited. Writes a report for a browser."
          + " Needs no input; takes a few seconds."
    })
public final class DemoCommand implements Callable<Integer> {

  private static final String EXPLAINED_POLICY = "best-effort-fifo";

  private final DemoScenario scenario = new DemoScenario();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      defaultValue = "liquid-demo.html",
      converter = HtmlOutput.class,
      description = "Where the report for a browser is written (default: ${DEFAULT-VALUE}).")
  private OutputFile html = new OutputFile(Path.of("liquid-demo.html"));

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    introduce(out);
    Map<String, SimulationResult> results = new LinkedHashMap<>();
    HtmlReport report = newReport();
    for (String policy : DemoScenario.POLICIES) {
      RunRecorder recorder = new RunRecorder(scenario.topology(), scenario.trace());
      SimulationResult result = scenario.simulation(policy).listener(recorder).build().run();
      results.put(policy, result);
      report.add(policy, recorder, result);
    }
    compare(out, results);
    interpret(out, results);
    explain(out, resultOf(results, EXPLAINED_POLICY));
    html.writeText(out, report::appendTo);
    suggest(out);
    out.flush();
    return 0;
  }

  private void introduce(PrintWriter out) {
    int jobs = scenario.trace().jobs().size();
    out.printf(
        "A %s in two racks of 8-GPU nodes.%n%d jobs of 1 to 16 GPUs arrive over four hours; those"
            + " of several GPUs must stay in one rack, and BERT%nneeds the memory of an A100. The"
            + " same jobs, the same cluster, five policies:%n%n",
        scenario.topology(), jobs);
  }

  private static void compare(PrintWriter out, Map<String, SimulationResult> results) {
    Table table =
        Table.of(
            "policy | avg JCT | median | p95 | p99 | avg wait | makespan | pre-emptions | GPU"
                + " allocation");
    results.forEach((policy, result) -> table.row(row(policy, result)));
    table.print(out);
    out.println();
    out.println(
        "JCT: job completion time, from submission to end. Makespan: when the last job ends.");
  }

  private static List<String> row(String policy, SimulationResult result) {
    JctStatistics statistics = statistics(result);
    DurationDistribution completion = statistics.completion();
    return List.of(
        policy,
        DisplayFormat.time(completion.average()),
        DisplayFormat.time(completion.median()),
        DisplayFormat.time(completion.percentile(95)),
        DisplayFormat.time(completion.percentile(99)),
        DisplayFormat.time(statistics.queueing().average()),
        DisplayFormat.time(statistics.makespan()),
        Long.toString(result.counts().preemptions()),
        DisplayFormat.percent(result.usage().utilization()));
  }

  private static void interpret(PrintWriter out, Map<String, SimulationResult> results) {
    out.println();
    out.println("What you see:");
    out.printf(
        "  fifo starts jobs in order of arrival: a large job that does not fit blocks all behind"
            + " it.%n  best-effort-fifo lets jobs that fit bypass it: %s instead of %s on"
            + " average.%n",
        averageOf(results, "best-effort-fifo"), averageOf(results, "fifo"));
    out.printf(
        "  sjf and srtf start short jobs first and need expected durations: %s and %s.%n  srtf also"
            + " pre-empts running jobs for shorter ones.%n",
        averageOf(results, "sjf"), averageOf(results, "srtf"));
    out.printf(
        "  las needs no durations: it pre-empts jobs with much attained service for those with"
            + " little,%n  and reaches %s.%n",
        averageOf(results, "las"));
  }

  private void explain(PrintWriter out, SimulationResult result) {
    JobOutcome longest =
        result.finished().stream()
            .map(JobFate.Finished::outcome)
            .max(Comparator.comparing(DemoCommand::waited))
            .orElseThrow();
    Duration instant = longest.job().submit().plus(waited(longest).dividedBy(2));
    ExplanationAt explanation = new ExplanationAt(longest.job().id(), instant);
    scenario.simulation(EXPLAINED_POLICY).listener(explanation).until(instant).build().run();
    out.println();
    out.printf(
        "Why did job '%s' of %s wait %s under %s?%nExplained %s after the start of the trace,"
            + " which is 1970-01-01T00:00:00Z:%n",
        longest.job().id(),
        Count.of(longest.job().gpus(), "GPU"),
        DisplayFormat.time(waited(longest)),
        EXPLAINED_POLICY,
        DisplayFormat.time(instant));
    explanation.found().map(Explanation::describe).ifPresent(text -> out.println(text.indent(2)));
  }

  private HtmlReport newReport() {
    String gpus =
        scenario.topology().gpusByModel().entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(joining(" and "));
    String input =
        "%d sample jobs on %d nodes with %s GPUs"
            .formatted(scenario.trace().jobs().size(), scenario.topology().nodes().size(), gpus);
    return new HtmlReport(scenario.trace(), scenario.topology(), input, ShellCommand.running(spec));
  }

  private void suggest(PrintWriter out) {
    out.printf("Report with charts, for a browser: %s%n%n", html.path().toAbsolutePath());
    out.println("Next:");
    out.println("  bin/liquid simulate --help   run your own trace on your own cluster");
    out.println("  bin/liquid --help            all commands");
  }

  private static Duration waited(JobOutcome outcome) {
    return outcome.firstStart().minus(outcome.job().submit());
  }

  private static String averageOf(Map<String, SimulationResult> results, String policy) {
    return DisplayFormat.time(statistics(resultOf(results, policy)).completion().average());
  }

  private static SimulationResult resultOf(Map<String, SimulationResult> results, String policy) {
    return Objects.requireNonNull(results.get(policy), policy);
  }

  private static JctStatistics statistics(SimulationResult result) {
    return result.statistics().orElseThrow();
  }
}
