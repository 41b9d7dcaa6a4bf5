package io.github.liquidscheduler.cli.topology;

import io.github.liquidscheduler.simulator.calibration.AccuracyReport;
import io.github.liquidscheduler.simulator.calibration.Measurements;
import io.github.liquidscheduler.simulator.calibration.PredictionError;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Fits the network model to published measurements and prints how well it predicts. */
@Command(
    name = "calibrate",
    description = {
      "Fits the network model to the measurements of Pollux and Muri, and prints how far its"
          + " iteration times are off: median / mean / 90th percentile of the relative error.",
      "One GPU: if the network were not thought of. Fitted: on all but the tested applications."
          + " Unseen: without the application itself. Profiled: unseen, after two GPUs on one node"
          + " and on two nodes were measured."
    },
    mixinStandardHelpOptions = true)
final class CalibrateNetwork implements Callable<Integer> {

  private static final String FORMAT = "%-7s %-19s %-7s %5d  %-22s %-22s %-22s %s%n";
  private static final String HEADER = FORMAT.replace("%5d", "%5s");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--pollux",
      required = true,
      description = "The folder of Pollux' applications, with a placements.csv in each.")
  private Path pollux = Path.of("");

  @Option(names = "--muri", required = true, description = "The folder of Muri's traces.")
  private Path muri = Path.of("");

  @Option(
      names = "--test",
      split = ",",
      defaultValue = "yolov3,deepspeech2",
      description = "Applications not to fit on. Default: ${DEFAULT-VALUE}")
  private List<String> tested = List.of();

  @Override
  public Integer call() {
    try {
      print(
          AccuracyReport.of(List.of(Measurements.pollux(pollux), Measurements.muri(muri)), tested));
      return 0;
    } catch (IllegalArgumentException | UncheckedIOException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private void print(AccuracyReport report) {
    PrintWriter out = spec.commandLine().getOut();
    report.parameters().forEach((cluster, fit) -> out.println(cluster + ": " + fit));
    out.printf(
        HEADER,
        "cluster",
        "application",
        "use",
        "count",
        "one GPU",
        "fitted",
        "unseen",
        "profiled");
    for (AccuracyReport.Row row : report.rows()) {
      out.printf(
          FORMAT,
          row.cluster(),
          row.application(),
          row.use().name().toLowerCase(Locale.ROOT),
          row.unseen().count(),
          row.silent(),
          row.fitted(),
          row.unseen(),
          row.profiled().stream().findFirst().map(PredictionError::toString).orElse("-"));
    }
    out.flush();
  }
}
