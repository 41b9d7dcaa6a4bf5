package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.List;

/** The speeds that jobs retain beside each other, two by two, predicted in one batch. */
public final class PairSpeeds {

  private final int size;
  private final float[] speeds;
  private final float[] lows;

  /** Predicts each profile beside each, itself included, on GPUs of a model. */
  public PairSpeeds(
      InterferencePredictor predictor,
      Observations observations,
      GpuModel gpu,
      List<ColocationProfile> profiles) {
    size = profiles.size();
    List<ColocationQuery> questions = new ArrayList<>();
    for (ColocationProfile victim : profiles) {
      for (ColocationProfile other : profiles) {
        questions.add(new ColocationQuery(gpu, victim, List.of(other)));
      }
    }
    speeds = new float[questions.size()];
    lows = new float[questions.size()];
    predictor.retainedSpeeds(questions, observations.interference(), speeds, lows);
  }

  /** Returns the speed that one retains beside another, both by their positions. */
  public double speed(int victim, int other) {
    return speeds[victim * size + other];
  }

  /** Returns the low end of the interval of that speed. */
  public double low(int victim, int other) {
    return lows[victim * size + other];
  }
}
