package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.cli.cluster.ClusterArgument;
import io.github.liquidscheduler.cli.output.DurationArgument;
import io.github.liquidscheduler.cli.output.TerminalBar;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.lab.reproduce.SharingComparison.Row;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.simulator.slowdown.MeasuredJobs;
import io.github.liquidscheduler.simulator.slowdown.SlowdownTable;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceFormat;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares co-location policies on a trace with measured slowdowns. */
@Command(
    name = "interference",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compares co-location policies on a trace of Gavel with measured slowdowns of pairs: no"
          + " co-location; policies of published systems, which predict no interference; a"
          + " predictor trained on a fraction of the pairs, in immediate and in batch mode; and a"
          + " predictor that knows all pairs.",
      "Jobs on one GPU may share it; a fraction of them is guaranteed a minimum speed."
    },
    footer = {
      "",
      "Example:",
      "  liquid-lab reproduce interference --trace 103959.trace \\",
      "      --throughputs simulation_throughputs.json --jobs 400 --cluster 4x8xV100",
      "",
      DurationArgument.FORM
    })
public final class ReproduceInterference implements Callable<Integer> {

  @Option(
      names = "--trace",
      required = true,
      split = ",",
      paramLabel = "FILE",
      description =
          "Traces in Gavel's format. Several traces or loads print the gains of each combination"
              + " and their range.")
  private List<Path> traces = List.of();

  @Option(
      names = "--throughputs",
      required = true,
      paramLabel = "FILE",
      description = "Gavel's JSON of throughputs, with those of pairs.")
  private Path throughputs = Path.of("");

  @Option(
      names = "--cluster",
      paramLabel = "CLUSTER",
      defaultValue = "4x8xV100",
      converter = ClusterArgument.class,
      description = "JSON file of a cluster, or a shorthand (default: ${DEFAULT-VALUE}).")
  private @Nullable ClusterTopology cluster;

  @Option(
      names = "--jobs",
      paramLabel = "JOBS",
      defaultValue = "400",
      description =
          "Number of jobs from the start of the trace, at least 1; jobs without measured"
              + " throughput are skipped (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(
      names = "--load",
      split = ",",
      paramLabel = "FRACTION",
      defaultValue = "1.5",
      description =
          "Offered loads: GPU time of the jobs under exclusive placement, as a fraction of"
              + " the cluster's while they arrive, above 0; arrival times are scaled to it"
              + " (default: ${DEFAULT-VALUE}).")
  private List<Double> loads = List.of();

  @Option(
      names = "--observed",
      paramLabel = "FRACTION",
      defaultValue = "0.4",
      description =
          "Fraction of the pairs the predictor is trained on, above 0 and at most 1 (default:"
              + " ${DEFAULT-VALUE}).")
  private double observed;

  @Option(
      names = "--guaranteed",
      paramLabel = "FRACTION",
      defaultValue = "0.25",
      description =
          "Fraction of the jobs on one GPU that are guaranteed the floor, from 0 to 1; the"
              + " others are opportunistic (default: ${DEFAULT-VALUE}).")
  private double guaranteed;

  @Option(names = "--single", description = "Skip jobs on several GPUs, which are not co-located.")
  private boolean single;

  @Option(
      names = "--floor",
      paramLabel = "FRACTION",
      defaultValue = "0.6",
      description =
          "Guaranteed fraction of the exclusive speed, above 0 and at most 1 (default:"
              + " ${DEFAULT-VALUE}).")
  private double floor;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description =
          "Random seed of the choice of pairs and of the training (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--window",
      paramLabel = "TIME",
      defaultValue = "0s",
      description =
          "Batch window: how long jobs are collected before a plan (default:"
              + " ${DEFAULT-VALUE}, a plan at each event).")
  private Duration window = Duration.ZERO;

  @Option(
      names = "--bypass-limit",
      paramLabel = "JOBS",
      defaultValue = "100",
      description =
          "Maximum number of jobs that may bypass a waiting job in batch mode, at least 0"
              + " (default: ${DEFAULT-VALUE}).")
  private int bypassLimit;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    check();
    ThroughputTable truth = ThroughputTable.readGavel(throughputs);
    SlowdownTable table = SlowdownTable.read(throughputs);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%d GPUs; %d measured directions, %.0f %% of the pairs known.%n%n",
        Objects.requireNonNull(cluster).gpuCount(),
        table.size(),
        100 * observed);
    try (CompositePredictor trained = GavelPairs.read(throughputs).predictorFrom(observed, seed)) {
      print(out, (trace, load) -> compared(comparison(trace, load, truth, table), trained));
    }
    out.flush();
    return 0;
  }

  private void print(PrintWriter out, BiFunction<Path, Double, SharingTable> comparison) {
    if (traces.size() * loads.size() == 1) {
      SharingTable table = comparison.apply(traces.getFirst(), loads.getFirst());
      table.lines().forEach(out::println);
      return;
    }
    GainRange range = new GainRange();
    for (Path trace : traces) {
      for (double load : loads) {
        out.println(range.add(trace, load, comparison.apply(trace, load)));
        out.flush();
      }
    }
    range.lines().forEach(out::println);
  }

  private SharingComparison comparison(
      Path trace, double load, ThroughputTable truth, SlowdownTable table) {
    ClusterTopology on = Objects.requireNonNull(cluster);
    Trace loaded =
        new OfferedLoad(load, on.gpuCount())
            .of(TraceFormat.GAVEL.reader().read(trace), truth, jobs, single ? 1 : on.gpuCount());
    return new SharingComparison(MeasuredJobs.of(loaded, table, on, truth), on, guaranteed, floor);
  }

  private void check() {
    if (!(observed > 0 && observed <= 1)
        || !loads.stream().allMatch(load -> load > 0)
        || jobs < 1
        || !(floor > 0 && floor <= 1)
        || !(guaranteed >= 0 && guaranteed <= 1)
        || window.isNegative()
        || bypassLimit < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--observed and --floor must be above 0 and at most 1, --guaranteed from 0 to 1, --load"
              + " above 0, --jobs at least 1, --window and --bypass-limit not negative");
    }
  }

  private SharingTable compared(SharingComparison comparison, CompositePredictor trained) {
    List<Supplier<Row>> oblivious = comparison.oblivious();
    try (TerminalBar bar = TerminalBar.of("Comparing", " policies")) {
      SharingTable table = new SharingTable(done -> bar.progress(done, 6 + oblivious.size()));
      table.exclusive(comparison.exclusive());
      oblivious.forEach(row -> table.oblivious(row.get()));
      table.predicted(
          comparison,
          trained,
          comparison.oracle(),
          BatchWindow.of(window).bypassLimit(bypassLimit));
      return table;
    }
  }
}
