package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.prediction.PredictorState;
import java.util.ArrayList;
import java.util.Arrays;
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

  /**
   * The scores by a {@link ColocationPolicy} of the candidates of one decision. Candidates without
   * a score are rejected. Not thread-safe.
   */
  final class CandidateScores {

    private double[] costs = {};
    private double[] speeds = {};
    private final Questions ofCandidates = new Questions();
    private final List<Integer> left = new ArrayList<>();
    private final Questions ofResidents = new Questions();

    /** Makes scores of {@code size} candidates, all rejected. */
    public CandidateScores(int size) {
      reset(size);
    }

    /** Begins with {@code size} other candidates, all rejected. */
    public void reset(int size) {
      if (costs.length < size) {
        costs = new double[2 * size];
        speeds = new double[2 * size];
      }
      Arrays.fill(costs, 0, size, Double.POSITIVE_INFINITY);
      Arrays.fill(speeds, 0, size, 1);
    }

    /**
     * Admits a candidate.
     *
     * @param candidate its position
     * @param cost its cost; less is better
     * @param speed the speed that the candidate job is expected to retain there, more than 0; 1 if
     *     the policy does not predict
     * @throws IllegalArgumentException if the cost is not finite or the speed not positive
     */
    public void admit(int candidate, double cost, double speed) {
      if (!Double.isFinite(cost) || !(speed > 0)) {
        throw new IllegalArgumentException(
            "a candidate's cost must be finite and its speed positive, but were %s and %s"
                .formatted(cost, speed));
      }
      costs[candidate] = cost;
      speeds[candidate] = speed;
    }

    /** Rejects a candidate, even if it was admitted before. */
    public void reject(int candidate) {
      costs[candidate] = Double.POSITIVE_INFINITY;
    }

    /** Returns true if the candidate at a position is admitted. */
    public boolean isAdmitted(int candidate) {
      return costs[candidate] < Double.POSITIVE_INFINITY;
    }

    /** Returns the cost of the candidate; positive infinity if it is rejected. */
    public double cost(int candidate) {
      return costs[candidate];
    }

    /** Returns the speed that the candidate job is expected to retain. */
    public double speed(int candidate) {
      return speeds[candidate];
    }

    /** Returns the reused questions about candidate jobs. */
    Questions ofCandidates() {
      return ofCandidates;
    }

    /** Returns the reused list of candidates that keep enough themselves. */
    List<Integer> left() {
      return left;
    }

    /** Returns the reused questions about residents. */
    Questions ofResidents() {
      return ofResidents;
    }

    /** The questions to a predictor and its answers; reused so that candidates leave no garbage. */
    static final class Questions {
      private final List<ColocationQuery> queries = new ArrayList<>();
      private float[] speeds = {};
      private float[] lows = {};

      void clear() {
        queries.clear();
      }

      void add(ColocationQuery query) {
        queries.add(query);
      }

      void addAll(List<ColocationQuery> more) {
        for (int i = 0; i < more.size(); i++) {
          queries.add(more.get(i));
        }
      }

      /** Asks the predictor all of them. */
      void ask(InterferencePredictor predictor, PredictorState known) {
        if (speeds.length < queries.size()) {
          speeds = new float[2 * queries.size()];
          lows = new float[speeds.length];
        }
        if (!queries.isEmpty()) {
          predictor.retainedSpeeds(queries, known, speeds, lows);
        }
      }

      float[] speeds() {
        return speeds;
      }

      float[] lows() {
        return lows;
      }
    }
  }
}
