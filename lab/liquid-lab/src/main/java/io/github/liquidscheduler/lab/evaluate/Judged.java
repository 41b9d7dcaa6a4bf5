package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.training.interference.HeldOut;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Predictions of hidden measurements, each with the 90 % error promised for it. */
record Judged(List<HeldOut.Answer> answers, List<Double> promises) {
  private static final double QUANTILE = 0.9;

  Judged {
    answers = List.copyOf(answers);
    promises = List.copyOf(promises);
  }

  /** Promises what was held out within the training data; the widest for an unknown GPU model. */
  static Judged of(HeldOut heldOut, HeldOut within) {
    Map<String, Double> quantiles = within.quantiles(QUANTILE);
    double widest = quantiles.values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
    List<Double> promises =
        heldOut.answers().stream()
            .map(answer -> quantiles.getOrDefault(answer.gpu(), widest))
            .toList();
    return new Judged(heldOut.answers(), promises);
  }

  /** Returns the blend by inverse variance, which promises no less than the better of both. */
  Judged blendedWith(Judged other) {
    List<HeldOut.Answer> blend = new ArrayList<>();
    List<Double> least = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      HeldOut.Answer answer = answers.get(i);
      double weight = Math.pow(promises.get(i), -2);
      double otherWeight = Math.pow(other.promises.get(i), -2);
      double value =
          (weight * answer.predicted() + otherWeight * other.answers.get(i).predicted())
              / (weight + otherWeight);
      blend.add(new HeldOut.Answer(answer.gpu(), answer.measured(), value, answer.mean()));
      least.add(Math.min(promises.get(i), other.promises.get(i)));
    }
    return new Judged(blend, least);
  }

  int count() {
    return answers.size();
  }

  double error() {
    return answers.stream().mapToDouble(HeldOut.Answer::error).average().orElse(Double.NaN);
  }

  double errorOfMean() {
    return answers.stream()
        .mapToDouble(answer -> Math.abs(answer.measured() - answer.mean()))
        .average()
        .orElse(Double.NaN);
  }

  double coverage() {
    int covered = 0;
    for (int i = 0; i < answers.size(); i++) {
      covered += answers.get(i).error() <= promises.get(i) ? 1 : 0;
    }
    return (double) covered / answers.size();
  }
}
