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

/** Trains a resource model. */
@Command(
    name = "resources",
    description = "Trains a resource model from measured usage.",
    mixinStandardHelpOptions = true)
public final class TrainResources implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "FILE",
      required = true,
      description = "CSV of tasks with measured usage.")
  private Path data = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description = "ONNX file to write.")
  private Path out = Path.of("");

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Random seed (default: ${DEFAULT-VALUE}).")
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
          "mean error on held-out data (of the logarithm; of the value for fractions), and"
              + " learner:");
      trained.report().forEach(line -> console.print("  %s", line));
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
