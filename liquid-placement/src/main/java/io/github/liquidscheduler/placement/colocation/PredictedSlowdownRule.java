package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy.CandidateScores;
import io.github.liquidscheduler.placement.colocation.SharedGpu.CoRunner;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Observations;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/*
 * Idea: predict in two calls for the whole decision: first the candidate job beside each resident
 * set, which rejects most candidates; then the residents of the others beside the candidate job.
 * Invariants: a guaranteed job is judged by the low end of its interval; an impossible answer
 * rejects; a pure function of candidates and observations, without state.
 * Cost: two predictor calls, over all candidates and over the residents of those left; O(candidates
 * x residents per GPU) besides, without garbage. Measured by SharingBenchmark and
 * docs/performance.md.
 * Rejected: asking about residents first: 98 of 100 pairs are rejected by the candidate job alone.
 * Source: IASP/IAPP, CLWP.
 */
/**
 * The policy {@code slowdown}: the least predicted mutual slowdown (CLWP).
 *
 * <p>A candidate costs the mean, over the candidate job and the residents, of the speed that each
 * loses by it, plus {@code loadWeight} times the utilisation above 1. It is rejected if that mean
 * is above {@code maxSlowdown}; if a guaranteed job, resident or candidate, is not predicted to
 * keep its floor even at the low end of the interval; or if an opportunistic one is predicted to
 * keep less than {@code opportunisticFloor}. So an uncertain prediction never admits a co-runner of
 * a guaranteed job. An answer that is no retained speed, in (0, 1.05] and not below its own
 * interval, rejects the candidate.
 *
 * <p>Immutable; thread-safe if the predictor is.
 */
public final class PredictedSlowdownRule implements ColocationPolicy {

  private final InterferencePredictor predictor;
  private final double maxSlowdown;
  private final double opportunisticFloor;
  private final double loadWeight;
  private final double costOfEmpty;

  private PredictedSlowdownRule(Builder builder) {
    predictor = builder.predictor;
    maxSlowdown = builder.maxSlowdown;
    opportunisticFloor = builder.opportunisticFloor;
    loadWeight = builder.loadWeight;
    costOfEmpty = builder.costOfEmpty;
  }

  /** Returns the policy with its defaults. */
  public static PredictedSlowdownRule of(InterferencePredictor predictor) {
    return builder(predictor).build();
  }

  /** Returns a builder of a policy with a predictor. */
  public static Builder builder(InterferencePredictor predictor) {
    return new Builder(Objects.requireNonNull(predictor, "predictor"));
  }

  @Override
  public Optional<InterferencePredictor> predictor() {
    return Optional.of(predictor);
  }

  @Override
  public String name() {
    return "slowdown";
  }

  @Override
  public double leastSpeed(Sharing sharing) {
    return sharing instanceof Sharing.Guaranteed guaranteed
        ? guaranteed.floor()
        : opportunisticFloor;
  }

  @Override
  public double leastMeanSpeed() {
    return 1 - maxSlowdown;
  }

  @Override
  public double costOfEmpty() {
    return costOfEmpty;
  }

  @Override
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("max slowdown", Double.toString(maxSlowdown));
    parameters.put("opportunistic floor", Double.toString(opportunisticFloor));
    parameters.put("load weight", Double.toString(loadWeight));
    parameters.put("cost of empty", Double.toString(costOfEmpty));
    return parameters;
  }

  @Override
  public void score(List<SharedGpu> candidates, Observations observations, CandidateScores scores) {
    CandidateScores.Questions own = scores.ofCandidates();
    own.clear();
    for (int i = 0; i < candidates.size(); i++) {
      own.add(candidates.get(i).candidateBeside());
    }
    own.ask(predictor, observations.interference());
    List<Integer> left = scores.left();
    left.clear();
    CandidateScores.Questions others = scores.ofResidents();
    others.clear();
    for (int i = 0; i < candidates.size(); i++) {
      SharedGpu candidate = candidates.get(i);
      if (isKept(candidate.candidateJob(), i, own)) {
        others.addAll(candidate.residentsBeside());
        left.add(i);
      }
    }
    others.ask(predictor, observations.interference());
    admit(candidates, scores);
  }

  private void admit(List<SharedGpu> candidates, CandidateScores scores) {
    int first = 0;
    for (int i : scores.left()) {
      SharedGpu candidate = candidates.get(i);
      float speed = scores.ofCandidates().speeds()[i];
      double slowdown = slowdown(candidate, speed, first, scores.ofResidents());
      if (slowdown <= maxSlowdown) {
        scores.admit(i, slowdown + loadWeight * overload(candidate), speed);
      }
      first += candidate.residents().size();
    }
  }

  /** Returns the mean slowdown; infinite if a resident retains too little. */
  private double slowdown(
      SharedGpu candidate, float speed, int first, CandidateScores.Questions asked) {
    int residents = candidate.residents().size();
    double slowdown = 1 - speed;
    for (int i = 0; i < residents; i++) {
      int answer = first + i;
      if (!isKept(candidate.residents().get(i), answer, asked)) {
        return Double.POSITIVE_INFINITY;
      }
      slowdown += 1 - asked.speeds()[answer];
    }
    return Math.max(0, slowdown / (1 + residents));
  }

  private boolean isKept(CoRunner coRunner, int answer, CandidateScores.Questions asked) {
    return isPossible(asked.speeds()[answer], asked.lows()[answer])
        && keepsItsFloor(coRunner, answer, asked);
  }

  /** Returns true if an answer is a retained speed. */
  private static boolean isPossible(float speed, float low) {
    return speed > 0 && speed <= InterferencePredictor.MAX_RETAINED_SPEED && low <= speed;
  }

  private boolean keepsItsFloor(CoRunner coRunner, int answer, CandidateScores.Questions asked) {
    float[] kept = coRunner.isGuaranteed() ? asked.lows() : asked.speeds();
    return kept[answer] >= leastSpeed(coRunner.sharing());
  }

  private static double overload(SharedGpu candidate) {
    double load = known(candidate.candidateJob());
    for (int i = 0; i < candidate.residents().size(); i++) {
      load += known(candidate.residents().get(i));
    }
    return Math.max(0, load - 1);
  }

  private static double known(CoRunner coRunner) {
    double utilization = coRunner.profile().utilization();
    return Double.isNaN(utilization) ? 0 : utilization;
  }

  /** Builds a {@link PredictedSlowdownRule}. Not thread-safe. */
  public static final class Builder {
    private final InterferencePredictor predictor;
    private double maxSlowdown = 0.3;
    private double opportunisticFloor = 0.55;
    private double loadWeight = 0.5;
    private double costOfEmpty = 0.1;

    private Builder(InterferencePredictor predictor) {
      this.predictor = predictor;
    }

    /**
     * Sets the largest mean slowdown at which jobs share; .3 by default. Two jobs on a GPU do more
     * than one after the other if it is below .5.
     *
     * @throws IllegalArgumentException if it is not from 0 to 1
     */
    public Builder maxSlowdown(double slowdown) {
      maxSlowdown = require(slowdown, "the largest slowdown");
      return this;
    }

    /**
     * Sets the least retained speed of an opportunistic job; .55 by default.
     *
     * @throws IllegalArgumentException if it is not from 0 to 1
     */
    public Builder opportunisticFloor(double floor) {
      opportunisticFloor = require(floor, "the floor of opportunistic jobs");
      return this;
    }

    /**
     * Sets the cost of utilisation above 1; .5 by default.
     *
     * @throws IllegalArgumentException if it is not from 0 to 1
     */
    public Builder loadWeight(double weight) {
      loadWeight = require(weight, "the weight of load");
      return this;
    }

    /**
     * Sets the slowdown at which a GPU that is still empty is as good as co-runners; .1 by default.
     *
     * @throws IllegalArgumentException if it is not from 0 to 1
     */
    public Builder costOfEmpty(double cost) {
      costOfEmpty = require(cost, "the cost of an empty GPU");
      return this;
    }

    /** Returns the policy. */
    public PredictedSlowdownRule build() {
      return new PredictedSlowdownRule(this);
    }

    private static double require(double value, String what) {
      if (!(value >= 0 && value <= 1)) {
        throw new IllegalArgumentException(what + " must be from 0 to 1, but was " + value);
      }
      return value;
    }
  }
}
