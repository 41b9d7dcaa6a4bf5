package io.github.liquidscheduler.cli.interference;

import io.github.liquidscheduler.training.interference.InterferenceTrainer;
import io.github.liquidscheduler.training.interference.Learners;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Trains the interference model from measured co-locations. */
@Command(
    name = "interference",
    description = "Trains the interference model from measured co-locations.",
    mixinStandardHelpOptions = true)
public final class TrainInterference implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--data", required = true, description = "CSV, or Gavel's throughput JSON.")
  private Path data = Path.of("");

  @Option(names = "--out", required = true, description = "The ONNX file to write.")
  private Path out = Path.of("");

  @Option(
      names = "--learners",
      defaultValue = "NETWORK",
      description = "What it is made of: ${COMPLETION-CANDIDATES}. Default: network.")
  private Learners learners = Learners.NETWORK;

  @Option(names = "--seed", defaultValue = "1", description = "Default: 1.")
  private long seed;

  @Override
  public Integer call() throws Exception {
    byte[] model =
        new InterferenceTrainer(learners, seed)
            .train(Measurements.read(data), Measurements.hash(data));
    Files.write(out, model);
    PrintWriter writer = Printing.to(spec);
    writer.printf("wrote %s, %d bytes%n", out, model.length);
    writer.flush();
    return 0;
  }
}
