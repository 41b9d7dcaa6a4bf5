package io.github.liquidscheduler.training.interference;

/** The learners of the interference model. */
public enum Learners {
  /** Networks, two for classes that were measured and two for all others. */
  NETWORK {
    @Override
    SpeedModel learn(SpeedExamples examples, long seed) {
      return new SpeedEnsemble(examples, seed);
    }
  },
  /** Boosted trees, likewise one ensemble for each. */
  TREES {
    @Override
    SpeedModel learn(SpeedExamples examples, long seed) {
      return new SpeedTrees(examples, seed);
    }
  };

  abstract SpeedModel learn(SpeedExamples examples, long seed);
}
