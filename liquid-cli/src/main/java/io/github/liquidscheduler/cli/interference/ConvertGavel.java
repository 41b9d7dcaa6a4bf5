package io.github.liquidscheduler.cli.interference;

import io.github.liquidscheduler.training.measurement.GavelMeasurements;
import io.github.liquidscheduler.training.measurement.MeasurementCsv;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Converts Gavel's throughputs to the CSV of co-locations. */
@Command(
    name = "gavel",
    description =
        "Converts Gavel's simulation_throughputs.json to a CSV of co-location measurements.",
    mixinStandardHelpOptions = true)
public final class ConvertGavel implements Callable<Integer> {
  @Option(
      names = "--data",
      paramLabel = "FILE",
      required = true,
      description = "Gavel's simulation_throughputs.json.")
  private Path data = Path.of("");

  @Option(names = "--out", paramLabel = "FILE", required = true, description = "CSV to write.")
  private Path out = Path.of("");

  @Override
  public Integer call() throws Exception {
    MeasurementCsv.write(out, GavelMeasurements.read(data));
    return 0;
  }
}
