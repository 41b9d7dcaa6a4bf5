package io.github.liquidscheduler.cli.resources;

import io.github.liquidscheduler.estimator.resource.ResourceSample;
import io.github.liquidscheduler.training.resource.PublicResourceData;
import io.github.liquidscheduler.training.resource.ResourceCsv;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Converts public data sets to the CSV of resource usage. */
@Command(
    name = "resources",
    description =
        "Converts the data sets salus, miso, zeus, muri, gavel, elasticflow and sailor to one CSV.",
    mixinStandardHelpOptions = true)
public final class ConvertResources implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      required = true,
      description = "Folder with a folder for each data set.")
  private Path data = Path.of("");

  @Option(names = "--out", paramLabel = "FILE", required = true, description = "CSV to write.")
  private Path out = Path.of("");

  @Override
  public Integer call() {
    Console console = Console.of(spec);
    try {
      List<ResourceSample> samples = PublicResourceData.read(data);
      ResourceCsv.write(out, samples);
      console.print("wrote %s: %d rows", out, samples.size());
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
