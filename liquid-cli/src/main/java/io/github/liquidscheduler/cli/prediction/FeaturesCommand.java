package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.training.interference.FeatureExport;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Exports the examples of an interference model for training it elsewhere. */
@Command(
    name = "features",
    description =
        "Exports what an interference model learns from: its columns, and the properties that its"
            + " ONNX file must have.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  liquid features --data pairs.csv --out features.csv --properties properties.json"
    })
public final class FeaturesCommand implements Callable<Integer> {
  @Mixin private final InterferenceData data = new InterferenceData();
  @Mixin private final CsvOutput out = new CsvOutput();

  @Option(
      names = "--properties",
      paramLabel = "FILE",
      converter = OutputFile.Converter.class,
      description = "JSON of the metadata properties to write.")
  private @Nullable OutputFile properties;

  @Override
  public Integer call() throws IOException {
    FeatureExport export = new FeatureExport(data.measured(), MeasurementFiles.hash(data.file()));
    if (properties != null) {
      properties.write(export::writeProperties);
    }
    out.write(export.rows(), export::write);
    return 0;
  }
}
