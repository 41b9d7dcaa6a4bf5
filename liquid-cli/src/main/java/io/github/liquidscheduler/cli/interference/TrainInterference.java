package io.github.liquidscheduler.cli.interference;

import io.github.liquidscheduler.training.interference.InterferenceTrainer;
import io.github.liquidscheduler.training.interference.Learners;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Trains the interference model from measured co-locations. */
@Command(
    name = "interference",
    description = "Trains the interference model from measured co-locations.",
    mixinStandardHelpOptions = true)
public final class TrainInterference implements Callable<Integer> {
  @Mixin private final TrainingOptions options = new TrainingOptions();
  @Mixin private final ExtraTrainingData more = new ExtraTrainingData();

  @Option(
      names = "--learners",
      paramLabel = "LEARNERS",
      defaultValue = "NETWORK",
      description = "Learners: ${COMPLETION-CANDIDATES} (default: NETWORK).")
  private Learners learners = Learners.NETWORK;

  @Override
  public Integer call() throws Exception {
    options.write(
        new InterferenceTrainer(learners, options.seed())
            .train(options.measurements(), more.measurements(), more.hashWith(options.data())));
    return 0;
  }
}
