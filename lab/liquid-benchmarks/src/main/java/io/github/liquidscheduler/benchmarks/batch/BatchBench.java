package io.github.liquidscheduler.benchmarks.batch;

import io.github.liquidscheduler.benchmarks.Machine;
import io.github.liquidscheduler.planning.BatchPlan;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Plans generated instances and prints what plans cost after how much processor time. */
@Command(
    name = "liquid-bench batch",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Plans generated instances and prints their cost, relative to best-cost greedy, after some"
            + " seconds of the planning thread's processor time.")
final class BatchBench implements Callable<Integer> {

  private static final double WARM_UP_SECONDS = 3;

  private final PrintStream out = System.out;

  @Option(
      names = "--sizes",
      split = ",",
      defaultValue = "S,M,L",
      description = "Sizes, of T, V, U, S, M and L (default: ${DEFAULT-VALUE}).")
  private List<String> sizes = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      split = ",",
      defaultValue = "1,10",
      description =
          "Processor time of each plan in seconds, from request to plan (default:"
              + " ${DEFAULT-VALUE}).")
  private List<Double> seconds = List.of();

  @Option(
      names = "--loads",
      paramLabel = "PERCENT",
      split = ",",
      defaultValue = "92",
      description = "Part of the free GPUs asked for, in percent (default: ${DEFAULT-VALUE}).")
  private List<Integer> loads = List.of();

  @Option(
      names = "--seeds",
      paramLabel = "SEED",
      split = ",",
      defaultValue = "7",
      description = "Seeds of the instances (default: ${DEFAULT-VALUE}).")
  private List<Long> seeds = List.of();

  @Option(names = "--write", description = "Writes the instances as JSON into this folder.")
  private @Nullable Path folder;

  @Option(names = "--cold", description = "Leaves out the warming up of the JVM.")
  private boolean cold;

  /** Runs the comparison. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new BatchBench()).setExecutionExceptionHandler(new BadInput());
  }

  @Override
  public Integer call() {
    line("Machine: %s", Machine.describe());
    if (!cold) {
      Instance small = InstanceGenerator.generate(InstanceSize.of("S"), 0.92, 1);
      PlanRun.of(small, WARM_UP_SECONDS);
    }
    line(
        "instance    nodes   jobs    GPUs   seconds   greedy       cost      bound    ratio     "
            + " gap      moves waiting");
    for (String size : sizes) {
      for (int load : loads) {
        for (long seed : seeds) {
          run(InstanceGenerator.generate(InstanceSize.of(size), load / 100.0, seed));
        }
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private void run(Instance instance) {
    Optional.ofNullable(folder).ifPresent(into -> InstanceFiles.write(instance, into));
    show(instance, PlanRun.greedy(instance));
    for (double limit : seconds) {
      show(instance, PlanRun.of(instance, limit));
    }
  }

  private void show(Instance instance, PlanRun run) {
    BatchPlan plan = run.plan();
    var certificate = plan.certificate();
    line(
        "%-10s %6d %6d %7d %9.3f %8.0f %10.0f %10.1f %8.4f %7.2f%% %10d %7d",
        instance.name(),
        instance.cluster().nodes().size(),
        instance.pending().size(),
        instance.request(),
        run.searchSeconds(),
        certificate.greedyCost(),
        certificate.cost(),
        certificate.lowerBound(),
        certificate.cost() / certificate.greedyCost(),
        100 * certificate.gap(),
        certificate.movesEvaluated(),
        plan.postponed().size());
  }

  private void line(String format, Object... values) {
    out.printf(Locale.ROOT, format + "%n", values);
  }
}
