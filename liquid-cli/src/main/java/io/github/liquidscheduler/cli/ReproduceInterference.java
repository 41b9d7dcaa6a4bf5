package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.sharing.MeasuredPairs;
import io.github.liquidscheduler.cli.sharing.SharingComparison;
import io.github.liquidscheduler.cli.sharing.SharingComparison.Row;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceFormat;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares ways of sharing GPUs on a trace whose jobs slow each other down as was measured. */
@Command(
    name = "interference",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpWidth = 100,
    description = {
      "Runs a trace of Gavel with measured slow-downs of pairs: without sharing; by the rules of"
          + " systems that predict no interference; where a predictor trained on a part of the"
          + " pairs expects the least slowdown, one job after the other and planned together; and"
          + " where one that knows all pairs does.",
      "Jobs on one GPU may share it; a part of them is guaranteed a floor of its speed."
    },
    footer = {
      "",
      "Example:",
      "  liquid reproduce interference --trace 103959.trace \\",
      "      --throughputs simulation_throughputs.json --jobs 400 --cluster 4x8xV100"
    })
final class ReproduceInterference implements Callable<Integer> {

  @Option(
      names = "--trace",
      required = true,
      paramLabel = "FILE",
      description = "A trace in Gavel's format.")
  private Path trace = Path.of("");

  @Option(
      names = "--throughputs",
      required = true,
      paramLabel = "FILE",
      description = "Gavel's JSON of speeds, with those of pairs.")
  private Path throughputs = Path.of("");

  @Option(
      names = "--cluster",
      paramLabel = "CLUSTER",
      defaultValue = "4x8xV100",
      converter = ClusterArgument.class,
      description = "The cluster, as for simulate (default: ${DEFAULT-VALUE}).")
  private @Nullable ClusterTopology cluster;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "400",
      description =
          "How many jobs from the front of the trace, those without a measured speed left out"
              + " (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(
      names = "--load",
      paramLabel = "L",
      defaultValue = "1.5",
      description =
          "GPU time that the jobs need alone, in parts of what the cluster has while they come;"
              + " arrivals are moved together or apart for it (default: ${DEFAULT-VALUE}).")
  private double load;

  @Option(
      names = "--observed",
      paramLabel = "PART",
      defaultValue = "0.4",
      description =
          "The part of the pairs the predictor is trained on (default: ${DEFAULT-VALUE}).")
  private double observed;

  @Option(
      names = "--guaranteed",
      paramLabel = "PART",
      defaultValue = "0.25",
      description =
          "The part of the jobs on one GPU that are guaranteed the floor; the others are"
              + " opportunistic (default: ${DEFAULT-VALUE}).")
  private double guaranteed;

  @Option(names = "--single", description = "Leave out jobs on several GPUs, which do not share.")
  private boolean single;

  @Option(
      names = "--floor",
      paramLabel = "F",
      defaultValue = "0.6",
      description = "What guaranteed jobs keep of their speed (default: ${DEFAULT-VALUE}).")
  private double floor;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "What the choice of pairs and the training start from (default: 1).")
  private long seed;

  @Option(
      names = "--window",
      paramLabel = "TIME",
      defaultValue = "0s",
      converter = DurationArgument.class,
      description =
          "How long jobs are gathered that are planned together (default: ${DEFAULT-VALUE}, at each"
              + " event).")
  private Duration window = Duration.ZERO;

  @Option(
      names = "--bypassing",
      paramLabel = "N",
      defaultValue = "100",
      description =
          "By how many jobs, each with better co-runners, plans may let one be bypassed while it"
              + " waits (default: ${DEFAULT-VALUE}).")
  private int bypassLimit;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    check();
    ThroughputTable truth = ThroughputTable.readGavel(throughputs);
    MeasuredPairs pairs = MeasuredPairs.read(throughputs);
    Trace loaded = loaded(TraceFormat.GAVEL.reader().read(trace), truth);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%d jobs on %d GPUs at load %.2f; %d measured directions, %.0f %% of the pairs known.%n%n",
        loaded.jobs().size(),
        Objects.requireNonNull(cluster).gpuCount(),
        load,
        pairs.size(),
        100 * observed);
    SharingComparison comparison =
        new SharingComparison(loaded, cluster, truth, pairs, guaranteed, floor);
    compared(comparison, pairs).forEach(out::println);
    out.flush();
    return 0;
  }

  private void check() {
    if (!(observed > 0 && observed <= 1)
        || !(load > 0)
        || jobs < 1
        || !(floor > 0 && floor <= 1)
        || !(guaranteed >= 0 && guaranteed <= 1)
        || window.isNegative()
        || bypassLimit < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--observed and --floor must be above 0 and at most 1, --guaranteed from 0 to 1, --load"
              + " above 0, --jobs at least 1, --window and --bypassing not negative");
    }
  }

  private List<String> compared(SharingComparison comparison, MeasuredPairs pairs) {
    List<Supplier<Row>> oblivious = comparison.oblivious();
    try (TerminalBar bar = TerminalBar.of("Comparing", " ways to share")) {
      SharingTable table = new SharingTable(done -> bar.stand(done, 6 + oblivious.size()));
      table.exclusive(comparison.exclusive());
      oblivious.forEach(row -> table.oblivious(row.get()));
      predicted(comparison, pairs, table);
      return table.lines();
    }
  }

  private void predicted(SharingComparison comparison, MeasuredPairs pairs, SharingTable table) {
    BatchWindow together = BatchWindow.of(window).bypassLimit(bypassLimit);
    try (CompositePredictor still = pairs.predictorFrom(observed, seed)) {
      table.row(comparison.predicted("predicted", still, false));
    }
    try (CompositePredictor learning = pairs.predictorFrom(observed, seed)) {
      table.row(comparison.predicted("predicted, learning", learning, true));
    }
    try (CompositePredictor learning = pairs.predictorFrom(observed, seed)) {
      table.row(comparison.planned("planned, learning", learning, together));
    }
    table.row(comparison.predicted("all known", pairs.oracle(), false));
    table.oracle(comparison.planned("planned, all known", pairs.oracle(), together));
  }

  /** Returns the first jobs, arriving so that they load the cluster as asked. */
  private Trace loaded(Trace whole, ThroughputTable truth) {
    int gpus = Objects.requireNonNull(cluster).gpuCount();
    List<TraceJob> first =
        whole.jobs().stream()
            .filter(job -> truth.knows(job) && job.gpus() <= (single ? 1 : gpus))
            .limit(jobs)
            .toList();
    if (first.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: no job has a speed in %s and fits %d GPUs".formatted(trace, throughputs, gpus));
    }
    double work =
        first.stream().mapToDouble(job -> job.gpus() * (double) truth.work(job).toSeconds()).sum();
    double span = work / (load * gpus);
    double last = first.get(first.size() - 1).submit().toSeconds();
    double factor = last == 0 ? 1 : span / last;
    return Trace.of(whole.source(), first.stream().map(job -> submitted(job, factor)).toList());
  }

  private static TraceJob submitted(TraceJob job, double factor) {
    TraceJob.Builder moved =
        TraceJob.builder(job.id())
            .submit(Duration.ofMillis(Math.round(job.submit().toMillis() * factor)))
            .gpus(job.gpus());
    job.model().ifPresent(moved::model);
    job.iterations().ifPresent(moved::iterations);
    job.line().ifPresent(moved::line);
    return moved.build();
  }
}
