package io.github.liquidscheduler.benchmarks.batch;

import com.google.ortools.Loader;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import io.github.liquidscheduler.benchmarks.Machine;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Solves generated instances with OR-Tools' CP-SAT and with our planner, and prints both. */
@Command(
    name = "liquid-bench cp-sat",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Plans generated instances with CP-SAT and with Liquid, side by side.")
final class CpSatBench implements Callable<Integer> {

  @Option(
      names = "--sizes",
      split = ",",
      defaultValue = "T,V,U,S",
      description = "Sizes, of T, V, U, S, M and L (default: ${DEFAULT-VALUE}).")
  private List<String> sizes = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "3",
      description = "Processor time of our plan in seconds (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--cp-sat-seconds",
      paramLabel = "SECONDS",
      split = ",",
      defaultValue = "3,30",
      description = "Time of CP-SAT in seconds (default: ${DEFAULT-VALUE}).")
  private List<Double> cpSatSeconds = List.of();

  @Option(
      names = "--workers",
      paramLabel = "THREADS",
      defaultValue = "1",
      description = "Threads of CP-SAT (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "7",
      description = "Seed of the instances (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--load",
      paramLabel = "PERCENT",
      defaultValue = "92",
      description = "Load in percent (default: ${DEFAULT-VALUE}).")
  private int load;

  /** Runs the comparison. */
  public static void main(String[] arguments) {
    Loader.loadNativeLibraries();
    CommandLine command = new CommandLine(new CpSatBench());
    System.exit(command.setExecutionExceptionHandler(new BadInput()).execute(arguments));
  }

  @Override
  public Integer call() {
    line("Machine: %s", Machine.describe());
    line("%-10s %-8s %9s %10s %10s  %s", "instance", "planner", "seconds", "cost", "bound", "");
    for (String size : sizes) {
      InstanceSize shape = InstanceSize.of(size);
      Instance instance = InstanceGenerator.generate(shape, load / 100.0, seed);
      PlanRun ours = PlanRun.of(instance, seconds);
      var certificate = ours.plan().certificate();
      show(
          instance,
          "liquid",
          ours.searchSeconds(),
          certificate.cost(),
          certificate.lowerBound(),
          certificate.gap() == 0 ? "proved" : "");
      for (double limit : cpSatSeconds) {
        solve(instance, shape.nodesPerRack(), limit);
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private void solve(Instance instance, int nodesPerRack, double limit) {
    CpSolver solver = new CpSolver();
    solver.getParameters().setMaxTimeInSeconds(limit);
    solver.getParameters().setNumWorkers(workers);
    CpSolverStatus status =
        solver.solve(
            new CpSatModel(instance, nodesPerRack, PlanRun.greedy(instance).plan()).model());
    if (status != CpSolverStatus.OPTIMAL && status != CpSolverStatus.FEASIBLE) {
      line("%-10s %-8s %9.2f  no plan", instance.name(), "cp-sat", solver.wallTime());
      return;
    }
    show(
        instance,
        "cp-sat",
        solver.wallTime(),
        solver.objectiveValue() / 2,
        solver.bestObjectiveBound() / 2,
        status == CpSolverStatus.OPTIMAL ? "proved" : status.toString());
  }

  private static void show(
      Instance instance, String planner, double seconds, double cost, double bound, String note) {
    line(
        "%-10s %-8s %9.2f %10.1f %10.1f  %s", instance.name(), planner, seconds, cost, bound, note);
  }

  private static void line(String format, Object... values) {
    System.out.printf(Locale.ROOT, format + "%n", values);
  }
}
