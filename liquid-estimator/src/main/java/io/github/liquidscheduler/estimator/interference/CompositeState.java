package io.github.liquidscheduler.estimator.interference;

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
}
