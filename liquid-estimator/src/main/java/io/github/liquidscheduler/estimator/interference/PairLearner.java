package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.workload.JobVector;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;

/**
 * Takes one observation in, pair by pair.
 *
 * @param scorer answers for pairs
 * @param query the victim and those beside it
 * @param share by how much the victim retained more, beside each of them, than had been predicted
 */
record PairLearner(PairScorer scorer, ColocationQuery query, double share) {

  /** Returns the knowledge of pairs afterwards. */
  WatchedPairs learned(WatchedPairs before) {
    WatchedPairs pairs = before;
    JobVector victim = scorer.vector(query.victim(), query.gpu());
    for (ColocationProfile each : query.coRunners()) {
      JobVector other = scorer.vector(each, query.gpu());
      JobVector.Answer said = scorer.answer(victim, other, query.gpu(), pairs);
      double measured =
          Math.clamp(
              share * said.speed(),
              CompositePredictor.LEAST,
              InterferencePredictor.MAX_RETAINED_SPEED);
      pairs =
          pairs.plus(
              new LocalPair(victim.workload(), other.workload()),
              measured - said.base(),
              said.promised());
    }
    return pairs;
  }
}
