package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Observations;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Admits and ranks the co-runners of a job, all candidates of a decision at once. Share, memory and
 * number of jobs have been checked before, and no resident is exclusive. A pure function of the
 * candidates and the observations.
 */
public interface ColocationPolicy {

  /** Returns the name, such as {@code slowdown}. */
  String name();

  /**
   * Admits candidates at a cost each; others are rejected.
   *
   * @param candidates the candidates, at least one
   * @param observations the observations of running jobs
   * @param scores receives the answers, by the position of the candidates
   */
  void score(List<SharedGpu> candidates, Observations observations, CandidateScores scores);

  /** Returns the cost of an empty GPU instead. */
  double costOfEmpty();

  /** Returns its predictor, which then learns from measurements; none by default. */
  default Optional<InterferencePredictor> predictor() {
    return Optional.empty();
  }

  /**
   * Returns the least speed that a job of this class must be predicted to retain, for explanations;
   * its promise by default.
   */
  default double leastSpeed(Sharing sharing) {
    return sharing instanceof Sharing.Guaranteed guaranteed ? guaranteed.floor() : 0;
  }

  /**
   * Returns the least speed that all on a GPU must be predicted to retain on average, for
   * explanations; 0 by default.
   */
  default double leastMeanSpeed() {
    return 0;
  }

  /** Returns all parameters by name; none by default. */
  default Map<String, String> parameters() {
    return Map.of();
  }
}
