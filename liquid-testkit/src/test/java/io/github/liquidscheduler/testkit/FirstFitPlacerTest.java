package io.github.liquidscheduler.testkit;

import io.github.liquidscheduler.scheduling.Placer;

/** All that an embedder writes to test a placer. */
class FirstFitPlacerTest extends PlacerContract {

  @Override
  protected Placer placer() {
    return new FirstFitPlacer();
  }
}
