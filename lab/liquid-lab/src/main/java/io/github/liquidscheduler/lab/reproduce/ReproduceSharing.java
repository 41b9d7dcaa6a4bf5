package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.lab.published.GpuSharing;
import io.github.liquidscheduler.lab.published.LiquidCluster;
import io.github.liquidscheduler.lab.published.PublishedSharing;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares jobs alone on GPUs with two on each. */
@Command(
    name = "sharing",
    mixinStandardHelpOptions = true,
    description = {
      "Compares the total time of equal jobs alone on GPUs with that of jobs that share them, by"
          + " Liquid's thresholds and by predicted slowdown.",
      ""
    })
public final class ReproduceSharing implements Callable<Integer> {
  private static final List<Integer> GPUS = List.of(1, 2);

  /** The paper's jobs use less than half of a GPU each. */
  private static final double UTILIZATION = 0.49;

  private static final List<Measured> MEASURED =
      List.of(
          new Measured("ResNet-18", List.of(16, 32, 64, 128, 256), 8, Duration.ofSeconds(315)),
          new Measured(
              "Recommendation", List.of(512, 1024, 2048, 4096, 8192), 4, Duration.ofMinutes(48)));

  @Option(
      names = "--throughputs",
      paramLabel = "FILE",
      description = "Gavel's JSON of throughputs, for slowdowns that were measured on a K80.")
  private @Nullable Path throughputs;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (CompositePredictor predictor = CompositePredictor.shipped()) {
      Colocation ours = Colocation.of(predictor);
      Colocation told =
          Colocation.builder(PredictedSlowdownRule.of(predictor))
              .profiles(ReproduceSharing::lightlyUsed)
              .build();
      printPublished(out, ours, told);
      if (throughputs != null) {
        printMeasured(out, ours, ThroughputTable.readGavel(throughputs));
      }
    }
    out.flush();
    return 0;
  }

  private static void printPublished(PrintWriter out, Colocation ours, Colocation told) {
    out.println("Total time that sharing saves, two jobs on a GPU at most:");
    out.println();
    Table table = Table.of("jobs | GPUs | slowdown | retained | liquid | ours | told | published");
    for (PublishedSharing published : PublishedSharing.all()) {
      for (int gpus : GPUS) {
        row(table, published, gpus, "none", 1, ours, told);
        row(table, published, gpus, "implied", published.impliedRetainedSpeed(), ours, told);
      }
    }
    table.print(out);
    out.println();
    out.println(
        "'none' is the bound. 'implied' takes the slowdown from the published totals, so it");
    out.println(
        "checks the thresholds and not the saving. See lab/liquid-lab/docs/reproduction.md.");
  }

  private static void row(
      Table table,
      PublishedSharing published,
      int gpus,
      String slowdown,
      double retained,
      Colocation... ours) {
    GpuSharing sharing = published.on(gpus, retained);
    List<String> cells = new ArrayList<>();
    cells.add("%d x %s".formatted(sharing.jobs(), published.model()));
    cells.add("%d x %s".formatted(gpus, published.cluster()));
    cells.add(slowdown);
    cells.add(decimals(retained));
    cells.add(percent(sharing.saving(GpuSharing.liquid())));
    for (Colocation each : ours) {
      cells.add(percent(sharing.saving(each)));
    }
    cells.add(percent(published.saving()));
    table.row(cells);
  }

  private static void printMeasured(PrintWriter out, Colocation ours, ThroughputTable truth) {
    out.println();
    out.printf("Slowdowns as measured on a K80, by %s:%n%n", truth.source());
    Table table = Table.of("jobs | GPUs | retained | liquid | ours");
    MEASURED.forEach(
        measured -> measured.batchSizes().forEach(size -> row(table, measured, size, ours, truth)));
    table.print(out);
  }

  private static void row(
      Table table, Measured measured, int batchSize, Colocation ours, ThroughputTable truth) {
    TraceJob job = measured.job(batchSize, truth);
    double alone = truth.iterationsPerSecond(job, LiquidCluster.K80.model());
    double beside = truth.iterationsPerSecond(job, job, LiquidCluster.K80.model());
    GpuSharing sharing = new GpuSharing(LiquidCluster.K80.part(1), job, measured.jobs(), truth);
    table.row(
        List.of(
            "%d x %s".formatted(measured.jobs(), job.model().orElseThrow()),
            "1 x K80",
            beside > 0 ? decimals(beside / alone) : "not measured",
            beside > 0 ? percent(sharing.saving(GpuSharing.liquid())) : "-",
            beside > 0 ? percent(sharing.saving(ours)) : "-"));
  }

  private static ColocationProfile lightlyUsed(JobSpec job, GpuModel gpu) {
    return new ColocationProfile(job.workload(), Double.NaN, UTILIZATION, Double.NaN, Double.NaN);
  }

  private static String decimals(double number) {
    return String.format(Locale.ROOT, "%.3f", number);
  }

  private static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
  }

  /** Jobs whose slowdown beside each other Gavel measured, as long on a K80 as Liquid's. */
  private record Measured(String family, List<Integer> batchSizes, int jobs, Duration length) {
    TraceJob job(int batchSize, ThroughputTable truth) {
      TraceJob.Builder job =
          TraceJob.builder(family).model("%s (batch size %d)".formatted(family, batchSize)).gpus(1);
      double perSecond =
          truth.iterationsPerSecond(job.iterations(1).build(), LiquidCluster.K80.model());
      return job.iterations(Math.max(1, Math.round(perSecond * length.toSeconds()))).build();
    }
  }
}
