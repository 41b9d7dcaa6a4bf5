package io.github.liquidscheduler.training.tree;

/** Learns a regression from examples: the same examples and seed give the same regression. */
public interface RegressionLearner {

  /** Returns the name, such as {@code random forest}. */
  String name();

  /** Returns the function learned from the examples. */
  Regression fit(Examples examples, long seed);

  /** Returns a learner that always answers the mean label. */
  static RegressionLearner mean() {
    return new ConstantLearner("mean", Examples::meanLabel);
  }

  /** Returns a learner that learns nothing and always answers 0. */
  static RegressionLearner nothing() {
    return new ConstantLearner("nothing", examples -> 0);
  }
}
