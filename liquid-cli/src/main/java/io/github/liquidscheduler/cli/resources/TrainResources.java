package io.github.liquidscheduler.cli.resources;

import io.github.liquidscheduler.training.resource.ResourceCsv;
import io.github.liquidscheduler.training.resource.ResourceTrainer;
import io.github.liquidscheduler.training.resource.TrainedResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Trains a model of resource needs. */
@Command(
    name = "resources",
    description = "Trains a model of what tasks need.",
    mixinStandardHelpOptions = true)
public final class TrainResources implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--data", required = true, description = "CSV of tasks and what they used.")
  private Path data = Path.of("");

  @Option(names = "--out", required = true, description = "The ONNX file to write.")
  private Path out = Path.of("");

  @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Override
  public Integer call() {
    Console console = Console.of(spec);
    try {
      ResourceCsv table = ResourceCsv.read(data);
      TrainedResources trained = new ResourceTrainer(seed).train(table.samples());
      Files.write(out, trained.onnx());
      console.print(
          "wrote %s: %d samples, %d bytes", out, table.samples().size(), trained.onnx().length);
      console.print(
          "mean error on data held out (log of a ratio; plain for fractions), and learner:");
      trained.report().forEach(line -> console.print("  %s", line));
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
