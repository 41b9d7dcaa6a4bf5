package io.github.liquidscheduler.examples.extensions;

import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import java.util.Map;

/** A predictor of interference: a table of measured pairs of families, and caution elsewhere. */
public final class MeasuredPairs implements InterferencePredictor {
  private final Map<String, Double> speeds;

  /** Takes retained speeds by victim and co-runner, such as {@code "ResNet-50 beside BERT"}. */
  public MeasuredPairs(Map<String, Double> speeds) {
    this.speeds = Map.copyOf(speeds);
  }

  @Override
  public Prediction retainedSpeed(ColocationQuery query) {
    if (query.coRunners().isEmpty()) {
      return Prediction.certain(1, Provenance.MEASURED);
    }
    double speed = 1;
    for (ColocationProfile coRunner : query.coRunners()) {
      String pair = family(query.victim()) + " beside " + family(coRunner);
      if (!speeds.containsKey(pair)) {
        return new Prediction(0.5, 0.01, 1, Provenance.DEFAULT);
      }
      speed = Math.min(speed, speeds.get(pair));
    }
    return Prediction.certain(speed, Provenance.MEASURED);
  }

  private static String family(ColocationProfile profile) {
    return profile.workload().family();
  }
}
