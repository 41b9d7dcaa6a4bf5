package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.prediction.SimilarityModel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link CompositePredictor} has learned, with the vectors that it has worked out from it,
 * which are only a cache.
 *
 * @param owner the predictor that made it
 * @param history what was measured of each class
 * @param drift how far off recent predictions were
 * @param similarity the similarity model with what it has observed, if there is one
 * @param vectors job vectors by this history
 */
record CompositeState(
    CompositePredictor owner,
    ClassHistory history,
    DriftDetector drift,
    @Nullable SimilarityModel similarity,
    VectorCache vectors)
    implements PredictorState {

  @Override
  public List<LearnedState> save() {
    List<LearnedState> values = new ArrayList<>(history.save());
    values.addAll(drift.save());
    if (similarity != null) {
      values.addAll(similarity.saveState());
    }
    return values;
  }

  /** Returns this state with what one alike has saved. */
  CompositeState restored(List<LearnedState> saved) {
    ClassHistory restored = history.copy();
    DriftDetector errors = drift;
    List<LearnedState> others = new ArrayList<>();
    for (LearnedState value : saved) {
      switch (value.kind()) {
        case ClassHistory.CLASS, ClassHistory.RESIDUAL -> restored.restoreState(value);
        case DriftDetector.LEARNED_STATE -> errors = errors.restored(value);
        default -> others.add(value);
      }
    }
    return new CompositeState(
        owner, restored, errors, restoredSimilarity(others), new VectorCache(restored));
  }

  private @Nullable SimilarityModel restoredSimilarity(List<LearnedState> saved) {
    if (similarity != null) {
      return similarity.restoreState(saved);
    }
    if (!saved.isEmpty()) {
      throw new IllegalArgumentException(
          "only a predictor with a similarity model knows learned state of kind '%s', but this has"
                  .formatted(saved.getFirst().kind())
              + " none");
    }
    return null;
  }

  /** Returns the state after a retained speed was observed that had been predicted. */
  CompositeState observing(
      ColocationQuery query, double predicted, double retainedSpeed, PairScorer scorer) {
    PairLearner learner = new PairLearner(scorer, this);
    learner.learn(query, Math.pow(retainedSpeed / predicted, 1.0 / query.coRunners().size()));
    return new CompositeState(
        owner,
        learner.history(),
        drift.plus(predicted - retainedSpeed),
        learner.similarity(),
        vectors.without(learner.changed(), learner.history()));
  }
}
