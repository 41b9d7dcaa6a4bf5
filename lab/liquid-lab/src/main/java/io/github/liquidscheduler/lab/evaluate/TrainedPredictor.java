package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.estimator.similarity.NeuralSimilarity;
import io.github.liquidscheduler.training.interference.InterferenceTrainer;
import io.github.liquidscheduler.training.interference.PairHoldOut;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.similarity.SimilarityTrainer;
import java.util.List;
import java.util.stream.Stream;

/** The whole predictor, as it is shipped, from what a fold lets it learn. */
final class TrainedPredictor {
  private TrainedPredictor() {}

  /**
   * Returns a predictor that the caller closes.
   *
   * @param profiled measurements of which only the rates alone are known
   */
  static CompositePredictor of(PairHoldOut.Fold fold, List<Measurement> profiled, long seed) {
    List<Measurement> rates =
        profiled.stream()
            .map(each -> new Measurement(each.gpu(), each.victim(), each.coRunner(), Double.NaN))
            .toList();
    List<Measurement> known = Stream.concat(fold.train().stream(), rates.stream()).toList();
    byte[] network = new InterferenceTrainer(seed).train(known, fold.also(), fold.name());
    byte[] similarity = new SimilarityTrainer(seed).train(fold.train(), fold.name());
    return CompositePredictor.builder()
        .model(network, fold.name())
        .similarity(NeuralSimilarity.of(similarity, fold.name()))
        .build();
  }
}
