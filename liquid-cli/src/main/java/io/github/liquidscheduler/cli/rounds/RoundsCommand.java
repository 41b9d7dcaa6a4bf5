package io.github.liquidscheduler.cli.rounds;

import io.github.liquidscheduler.cli.output.HtmlOutput;
import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.cli.output.ShellCommand;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.bound.RoundBounds;
import io.github.liquidscheduler.rounds.planner.switching.Switching;
import io.github.liquidscheduler.rounds.planner.switching.SwitchingExecution;
import io.github.liquidscheduler.rounds.planner.switching.SwitchingGpus;
import io.github.liquidscheduler.rounds.simulation.PublishedSwitching;
import io.github.liquidscheduler.rounds.simulation.SwitchingTime;
import io.github.liquidscheduler.simulator.rounds.RoundFiles;
import io.github.liquidscheduler.simulator.rounds.RoundsJson;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plans jobs that train in rounds on GPUs of several models. */
@Command(
    name = "rounds",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Plans jobs that train in rounds of tasks, on GPUs of several models (Hare, HPDC'22). The"
          + " tasks of a round may start at different times, also one after another on one GPU; the"
          + " next round begins when all have synchronized.",
      "",
      "All times are in seconds.",
      ""
    },
    footer = {
      "",
      "lower bound  no plan's sum of weighted ends is below it",
      "alpha        how many times as long a task takes on one GPU as on another, at most",
      "bound        alpha x (2 + alpha): what is proved of the order of Hare's relaxation with the"
          + " choice eat",
      "",
      "Example:",
      "  liquid rounds --jobs jobs.csv --times times.csv --fleet 8xV100,4xT4,1xK80,2xM60"
    })
public final class RoundsCommand implements Callable<Integer> {

  @Option(
      names = "--jobs",
      required = true,
      paramLabel = "FILE",
      description = "The jobs: CSV with the columns job,arrival,weight,rounds,scale.")
  private Path jobs = Path.of("");

  @Option(
      names = "--times",
      required = true,
      paramLabel = "FILE",
      description =
          "How long a task takes: CSV with the columns job,gpu_model,compute_seconds,sync_seconds.")
  private Path times = Path.of("");

  @Option(
      names = "--fleet",
      required = true,
      paramLabel = "GPUS",
      converter = FleetArgument.Converter.class,
      description = "The GPUs, such as 8xV100,4xT4; they are numbered in this order.")
  private FleetArgument fleet = new FleetArgument(List.of());

  @Mixin private AlgorithmOptions algorithm = new AlgorithmOptions();

  @Mixin private SwitchingOptions switching = new SwitchingOptions();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = OutputFile.Converter.class,
      description = "Write the plan as JSON to this file instead of a table; - for the terminal.")
  private @Nullable OutputFile json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      converter = HtmlOutput.class,
      description =
          "Write a report for a browser as one HTML file, with the tasks of each GPU over time.")
  private @Nullable OutputFile html;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    List<RoundJob> read = RoundFiles.read(jobs, times, new LinkedHashSet<>(fleet.gpus()));
    RoundProblem problem = new RoundProblem(read, fleet.gpus());
    Map<String, String> report = new LinkedHashMap<>(algorithm.report());
    Map<String, Double> more = new LinkedHashMap<>();
    Optional<Switching> rules =
        switching
            .technique()
            .map(technique -> switching.switching(technique, RoundFiles.readModels(jobs)));
    rules.ifPresent(each -> report.put("switching", each.technique().toString()));
    RoundPlan plan =
        rules.isEmpty()
            ? plan(problem, SwitchingTime.NONE)
            : algorithm.isOnline()
                ? whileSwitching(problem, rules.get(), more)
                : thenSwitching(problem, rules.get(), more);
    write(problem, plan, report, more);
    return 0;
  }

  private RoundPlan whileSwitching(
      RoundProblem problem, Switching rules, Map<String, Double> more) {
    PublishedSwitching time = new PublishedSwitching(rules);
    RoundPlan plan = plan(problem, time);
    SwitchingGpus gpus = time.gpus();
    tell(gpus.switches(), gpus.hits(), gpus.seconds(), more);
    return plan;
  }

  private RoundPlan thenSwitching(RoundProblem problem, Switching rules, Map<String, Double> more) {
    SwitchingExecution execution =
        SwitchingExecution.of(problem, plan(problem, SwitchingTime.NONE), rules);
    tell(execution.switches(), execution.hits(), execution.seconds(), more);
    return execution.plan();
  }

  private static void tell(int switches, int hits, double seconds, Map<String, Double> more) {
    more.put("switches", (double) switches);
    more.put("resident_hits", (double) hits);
    more.put("switching_seconds", seconds);
  }

  private void write(
      RoundProblem problem, RoundPlan plan, Map<String, String> report, Map<String, Double> more) {
    PrintWriter out = spec.commandLine().getOut();
    if (html != null) {
      String algorithmName = algorithm.report().values().stream().findFirst().orElse("plan");
      html.writeText(
          out, RoundsReport.of(problem, plan, algorithmName, ShellCommand.running(spec))::appendTo);
    }
    if (json == null) {
      print(out, problem, plan);
      more.forEach((name, value) -> line(out, name.replace('_', ' '), value));
    } else {
      String text = RoundsJson.of(report, problem, plan, more);
      json.writeText(out, file -> file.append(text));
    }
    out.flush();
  }

  private RoundPlan plan(RoundProblem problem, SwitchingTime time) {
    try {
      return algorithm.algorithm(time).plan(problem);
    } catch (IllegalArgumentException e) {
      throw new InputFormatException(jobs + ": " + e.getMessage());
    }
  }

  private static void print(PrintWriter out, RoundProblem problem, RoundPlan plan) {
    Table table = Table.of("job | arrival | end | completion");
    for (RoundJob job : problem.jobs()) {
      double end = plan.end(job);
      table.row(
          List.of(
              job.id().toString(),
              number(job.arrival()),
              number(end),
              number(end - job.arrival())));
    }
    table.print(out);
    RoundBounds bounds = RoundBounds.of(problem);
    out.println();
    line(out, "average completion", plan.averageJct(problem));
    line(out, "makespan", plan.makespan());
    line(out, "sum of weighted ends", plan.weightedEnd(problem));
    line(out, "lower bound of that", bounds.weightedEnd());
    line(out, "alpha", bounds.alpha());
    line(out, "bound", bounds.factor());
  }

  private static void line(PrintWriter out, String name, double value) {
    out.printf(Locale.ROOT, "%-22s %14s%n", name, number(value));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,.3f", value);
  }
}
