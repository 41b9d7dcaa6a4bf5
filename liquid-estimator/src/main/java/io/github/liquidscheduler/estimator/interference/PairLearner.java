package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.estimator.workload.JobVector;
import io.github.liquidscheduler.estimator.workload.Residual;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.SimilarityModel;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Takes one observation into a copy of a history, pair by pair. */
final class PairLearner {
  private final PairScorer scorer;
  private final ClassHistory history;
  private final Set<WorkloadClass> changed = new LinkedHashSet<>();
  private @Nullable SimilarityModel similarity;

  PairLearner(PairScorer scorer, CompositeState before) {
    this.scorer = scorer;
    history = before.history().copy();
    similarity = before.similarity();
  }

  /**
   * Learns what a victim retained beside others.
   *
   * @param share by how much it was more, beside each of them, than had been predicted
   */
  void learn(ColocationQuery query, double share) {
    for (ColocationProfile other : query.coRunners()) {
      learn(query.victim(), other, query.gpu(), share);
      changed.add(WorkloadClass.of(other.workload()));
    }
    changed.add(WorkloadClass.of(query.victim().workload()));
  }

  private void learn(
      ColocationProfile profile, ColocationProfile beside, GpuModel gpu, double share) {
    JobVector victim = new JobVector(profile, gpu, history);
    JobVector other = new JobVector(beside, gpu, history);
    Residual residual = victim.residual(other);
    double said = PairScorer.speed(residual, scorer.answerOf(victim, other, gpu, similarity));
    double measured =
        Math.clamp(
            share * said, CompositePredictor.LEAST, InterferencePredictor.MAX_RETAINED_SPEED);
    history.colocated(victim.workload(), other.workload(), gpu, measured);
    if (similarity != null) {
      similarity = similarity.observe(profile.workload(), beside.workload(), gpu, measured);
    }
    JobVector newVictim = new JobVector(profile, gpu, history);
    JobVector newOther = new JobVector(beside, gpu, history);
    double base = scorer.answerOf(newVictim, newOther, gpu, similarity).speed();
    history.predictionError(victim.workload(), other.workload(), gpu, measured - base);
  }

  ClassHistory history() {
    return history;
  }

  @Nullable SimilarityModel similarity() {
    return similarity;
  }

  /** Returns the classes whose history has changed. */
  Set<WorkloadClass> changed() {
    return changed;
  }
}
