package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.training.interference.InterferenceTrainer;
import io.github.liquidscheduler.training.interference.Learners;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.resource.ResourceCsv;
import io.github.liquidscheduler.training.resource.ResourceTrainer;
import io.github.liquidscheduler.training.resource.TrainedResources;
import io.github.liquidscheduler.training.similarity.SimilarityTrainer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Trains a model from measurements. */
@Command(
    name = "train",
    description = "Trains a model from measurements.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  liquid convert gavel --data simulation_throughputs.json --out pairs.csv",
      "  liquid train interference --data pairs.csv --out interference.onnx",
      "  liquid train resources --data tasks.csv --out resources.onnx"
    })
public final class TrainCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** The inputs and outputs of training. */
  static final class Training {
    @Mixin private final InterferenceData data = new InterferenceData();
    @Mixin private final ModelOutput out = new ModelOutput();
    @Mixin private final RandomSeed random = new RandomSeed();
  }

  @Command(
      name = "interference",
      description = "Trains the interference model from measured co-locations.",
      mixinStandardHelpOptions = true)
  void interference(
      @Mixin Training training,
      @Mixin ExtraTrainingData more,
      @Option(
              names = "--learners",
              paramLabel = "LEARNERS",
              defaultValue = "NETWORK",
              description = "Learners: ${COMPLETION-CANDIDATES} (default: NETWORK).")
          Learners learners)
      throws IOException {
    List<Measurement> measurements = training.data.measurements();
    byte[] model =
        new InterferenceTrainer(learners, training.random.seed())
            .train(measurements, more.measurements(), more.hashWith(training.data.file()));
    training.out.write(model, new Console(spec), measurements.size());
  }

  @Command(
      name = "similarity",
      description = "Trains the similarity model from measured co-locations.",
      mixinStandardHelpOptions = true)
  void similarity(@Mixin Training training) throws IOException {
    List<Measurement> measurements = training.data.measurements();
    byte[] model =
        new SimilarityTrainer(training.random.seed())
            .train(measurements, MeasurementFiles.hash(training.data.file()));
    training.out.write(model, new Console(spec), measurements.size());
  }

  @Command(
      name = "resources",
      description = "Trains a resource model from measured usage.",
      mixinStandardHelpOptions = true)
  void resources(
      @Option(
              names = "--data",
              paramLabel = "FILE",
              required = true,
              description = "CSV of tasks with measured usage.")
          Path data,
      @Mixin ModelOutput out,
      @Mixin RandomSeed random)
      throws IOException {
    ResourceCsv table = ResourceCsv.read(data);
    TrainedResources trained = new ResourceTrainer(random.seed()).train(table.samples());
    Console console = new Console(spec);
    out.write(trained.onnx(), console, table.samples().size());
    console.print(
        "mean error on held-out data (of the logarithm; of the value for fractions), and learner:");
    trained.report().forEach(line -> console.print("  %s", line));
  }
}
