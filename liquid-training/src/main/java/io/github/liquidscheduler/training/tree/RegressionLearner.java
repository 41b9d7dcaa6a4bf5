package io.github.liquidscheduler.training.tree;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Learns a regression from examples: the same examples and seed give the same regression. */
public interface RegressionLearner {

  /** Returns the name, such as {@code random forest}. */
  String name();

  /** Returns the function learned from the examples. */
  Regression fit(Examples examples, long seed);

  /** Returns a learner that always answers the mean label. */
  static RegressionLearner mean() {
    return new Constant("mean", Examples::meanLabel);
  }

  /** Returns a learner that learns nothing and always answers 0. */
  static RegressionLearner nothing() {
    return new Constant("nothing", examples -> 0);
  }

  /** Always answers the same, whatever the row. */
  record Constant(String name, ToDoubleFunction<Examples> answer) implements RegressionLearner {
    @Override
    public Regression fit(Examples examples, long seed) {
      float constant = (float) answer.applyAsDouble(examples);
      return new Regression(constant, new float[examples.width()], List.of());
    }
  }
}
