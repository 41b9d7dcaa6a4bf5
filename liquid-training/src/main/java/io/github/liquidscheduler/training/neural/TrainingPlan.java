package io.github.liquidscheduler.training.neural;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The length and the rate of learning. The rate falls to zero along half a cosine.
 *
 * @param epochs passes over the examples
 * @param minimumSteps the least number of steps, whatever the epochs: small data need more passes
 * @param batch examples per step
 * @param rate the learning rate of the first step
 */
public record TrainingPlan(int epochs, int minimumSteps, int batch, double rate) {

  /** Checks the numbers. */
  public TrainingPlan {
    if (epochs < 1 || minimumSteps < 1 || batch < 1 || !(rate > 0)) {
      throw new IllegalArgumentException(
          "epochs, steps, batch and rate must be positive, but were %d, %d, %d, %s"
              .formatted(epochs, minimumSteps, batch, rate));
    }
  }

  /**
   * Runs the plan over examples numbered from 0, in an order drawn from {@code random}.
   *
   * @param learner adds the gradient of one example
   * @throws IllegalArgumentException if there is no example
   */
  public void run(
      int examples, Parameters parameters, RandomGenerator random, IntConsumer learner) {
    if (examples < 1) {
      throw new IllegalArgumentException("there must be at least one example to learn from");
    }
    List<Integer> order = new ArrayList<>(IntStream.range(0, examples).boxed().toList());
    int steps = Math.max(minimumSteps, epochs * ((examples + batch - 1) / batch));
    int next = examples;
    for (int step = 0; step < steps; step++) {
      if (next >= examples) {
        Collections.shuffle(order, random);
        next = 0;
      }
      int end = Math.min(examples, next + batch);
      for (int i = next; i < end; i++) {
        learner.accept(order.get(i));
      }
      parameters.step(rateAt(step, steps), end - next);
      next = end;
    }
  }

  private double rateAt(int step, int steps) {
    return rate * 0.5 * (1 + StrictMath.cos(Math.PI * step / steps));
  }
}
