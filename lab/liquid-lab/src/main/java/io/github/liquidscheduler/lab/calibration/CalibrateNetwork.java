package io.github.liquidscheduler.lab.calibration;

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

/** Fits the network model to published measurements and prints its accuracy. */
@Command(
    name = "calibrate",
    description = {
      "Fits the network model to the measurements of Pollux and Muri, and prints the relative error"
          + " of its iteration times: median / mean / 90th percentile.",
      "Columns: one GPU ignores the network; fitted is fitted on all but the tested applications;"
          + " unseen is fitted without the application itself; profiled is unseen with measurements"
          + " of two GPUs on one node and on two nodes."
    },
    mixinStandardHelpOptions = true)
final class CalibrateNetwork implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--pollux",
      paramLabel = "FOLDER",
      required = true,
      description = "Folder of Pollux' applications, with a placements.csv in each.")
  private Path pollux = Path.of("");

  @Option(
      names = "--muri",
      paramLabel = "FOLDER",
      required = true,
      description = "Folder of Muri's traces.")
  private Path muri = Path.of("");

  @Option(
      names = "--test",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "yolov3,deepspeech2",
      description = "Applications held out for testing (default: ${DEFAULT-VALUE}).")
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
    out.println(
        "cluster application         use     count  one GPU                "
            + "fitted                 unseen                 profiled");
    for (AccuracyReport.Row row : report.rows()) {
      out.printf(
          "%-7s %-19s %-7s %5d  %-22s %-22s %-22s %s%n",
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
