package io.github.liquidscheduler.estimator.resource;

import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.prior.TaskFacts;
import io.github.liquidscheduler.estimator.task.regression.Calibration;
import io.github.liquidscheduler.estimator.task.regression.ScaledAnswer;
import io.github.liquidscheduler.prediction.Provenance;
import java.util.EnumMap;
import java.util.Map;

/**
 * The answers without a model: the analytic prior where it applies, else nothing. Its calibrations
 * are documented guesses: that of memory spans the errors of the prior on public measurements (-.68
 * to .70), that of time was never measured.
 */
final class Groundwork {
  private static final Calibration MEMORY = new Calibration(-0.7, 0.7, 0.7, 0.2);
  private static final Calibration SECONDS = new Calibration(-1.5, 1.5, 1.5, 0.8);
  private static final Calibration FRACTION = new Calibration(-1, 1, 1, 1);
  private static final Calibration AMOUNT = new Calibration(-3, 3, 3, 1);

  private Groundwork() {}

  static Map<ResourceTarget, ScaledAnswer> answers(TaskFacts facts) {
    Map<ResourceTarget, ScaledAnswer> answers = new EnumMap<>(ResourceTarget.class);
    if (facts.hasPrior()) {
      put(answers, ResourceTarget.GPU_MEMORY, facts.priorMemory(), MEMORY);
    }
    if (facts.priorSeconds() > 0) {
      put(answers, ResourceTarget.TOTAL, facts.priorSeconds(), SECONDS);
    }
    return answers;
  }

  /**
   * The answer with an interval in bytes: that of a calibration says by what factor all that is
   * guessed may be off together, on top of what the task does not say.
   */
  static ScaledAnswer inBytes(ScaledAnswer memory, TaskFacts facts) {
    double prior = facts.priorMemory();
    if (!facts.hasPrior() || !(prior > 0)) {
      return memory;
    }
    Calibration guessed = memory.calibration();
    double low = Math.log(facts.leastMemory(Math.exp(guessed.low())) / prior);
    double high = Math.log(facts.mostMemory(Math.exp(guessed.high())) / prior);
    double request = Math.log(facts.mostMemory(Math.exp(guessed.request())) / prior);
    return new ScaledAnswer(
        memory.center(),
        new Calibration(Math.min(0, low), Math.max(0, high), Math.max(0, request), guessed.error()),
        memory.provenance());
  }

  /** What the past of a family is compared with when nothing else is known. */
  static ScaledAnswer byDefault(ResourceTarget target) {
    double value = Double.isFinite(target.byDefault()) ? target.byDefault() : 0;
    return new ScaledAnswer(
        target.toScale(value), target.isFraction() ? FRACTION : AMOUNT, Provenance.DEFAULT);
  }

  private static void put(
      Map<ResourceTarget, ScaledAnswer> answers,
      ResourceTarget target,
      double value,
      Calibration calibration) {
    answers.put(target, new ScaledAnswer(target.toScale(value), calibration, Provenance.PRIOR));
  }
}
