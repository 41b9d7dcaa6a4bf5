package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.training.measurement.GavelMeasurements;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.measurement.MeasurementCsv;
import io.github.liquidscheduler.training.resource.PublicResourceData;
import io.github.liquidscheduler.training.resource.ResourceCsv;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Converts published data sets to the CSV formats of this program. */
@Command(
    name = "convert",
    description = "Converts published data sets to the CSV formats of this program.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  liquid convert gavel --data simulation_throughputs.json --out pairs.csv",
      "  liquid convert resources --data datasets --out tasks.csv"
    })
public final class ConvertCommand {
  @Command(
      name = "gavel",
      description =
          "Converts Gavel's simulation_throughputs.json to a CSV of co-location measurements.",
      mixinStandardHelpOptions = true)
  void gavel(
      @Option(
              names = "--data",
              paramLabel = "FILE",
              required = true,
              description = "Gavel's simulation_throughputs.json.")
          Path data,
      @Mixin CsvOutput out)
      throws IOException {
    List<Measurement> measurements = GavelMeasurements.read(data);
    out.write(measurements.size(), file -> MeasurementCsv.write(file, measurements));
  }

  @Command(
      name = "resources",
      description =
          "Converts the data sets salus, miso, zeus, muri, gavel, elasticflow and sailor to one"
              + " CSV.",
      mixinStandardHelpOptions = true)
  void resources(
      @Option(
              names = "--data",
              paramLabel = "FOLDER",
              required = true,
              description = "Folder with a folder for each data set.")
          Path data,
      @Mixin CsvOutput out)
      throws IOException {
    List<ResourceSample> samples = PublicResourceData.read(data);
    out.write(samples.size(), file -> ResourceCsv.write(file, samples));
  }
}
