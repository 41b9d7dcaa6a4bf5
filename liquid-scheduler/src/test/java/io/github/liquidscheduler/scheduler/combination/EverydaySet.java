package io.github.liquidscheduler.scheduler.combination;

import java.util.List;

/**
 * Features that a platform team uses together.
 *
 * @param name the name for people
 * @param features the features, in the order of slots
 * @param stage where they act
 */
record EverydaySet(String name, List<FeatureWorld> features, Stage stage) {

  static EverydaySet of(String name, Stage stage, FeatureWorld... features) {
    return new EverydaySet(name, List.of(features), stage);
  }

  Scenario scenario() {
    return new Scenario(stage, features);
  }
}
