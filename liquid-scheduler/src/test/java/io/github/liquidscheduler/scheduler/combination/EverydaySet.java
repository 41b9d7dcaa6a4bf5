package io.github.liquidscheduler.scheduler.combination;

import java.util.List;

/**
 * Features that a platform team uses together.
 *
 * @param name the name for people
 * @param features the features, in the order of slots
 */
record EverydaySet(String name, List<FeatureWorld> features) {

  static EverydaySet of(String name, FeatureWorld... features) {
    return new EverydaySet(name, List.of(features));
  }
}
