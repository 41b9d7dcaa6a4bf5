package io.github.liquidscheduler.cli.resources;

import io.github.liquidscheduler.estimator.resource.ResourceModel;
import io.github.liquidscheduler.training.resource.PredictionCsv;
import io.github.liquidscheduler.training.resource.ResourceCsv;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Appends predictions to a CSV of tasks. */
@Command(
    name = "resources",
    description = "Appends predicted resources, with 90 %% intervals, to a CSV of tasks.",
    mixinStandardHelpOptions = true)
public final class PredictResources implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private final ModelOption model = new ModelOption();

  @Option(names = "--data", paramLabel = "FILE", required = true, description = "CSV of tasks.")
  private Path data = Path.of("");

  @Option(names = "--out", paramLabel = "FILE", required = true, description = "CSV to write.")
  private Path out = Path.of("");

  @Override
  public Integer call() {
    Console console = Console.of(spec);
    try (ResourceModel loaded = model.load()) {
      ResourceCsv table = ResourceCsv.read(data);
      PredictionCsv.write(out, table, loaded);
      console.print("wrote %s: %d rows", out, table.samples().size());
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
