package io.github.liquidscheduler.cli.interference;

import io.github.liquidscheduler.training.similarity.SimilarityTrainer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Trains the similarity model from measured co-locations. */
@Command(
    name = "similarity",
    description = "Trains the similarity model from measured co-locations.",
    mixinStandardHelpOptions = true)
public final class TrainSimilarity implements Callable<Integer> {
  @Mixin private final TrainingOptions options = new TrainingOptions();

  @Override
  public Integer call() throws Exception {
    options.write(
        new SimilarityTrainer(options.seed()).train(options.measurements(), options.hash()));
    return 0;
  }
}
