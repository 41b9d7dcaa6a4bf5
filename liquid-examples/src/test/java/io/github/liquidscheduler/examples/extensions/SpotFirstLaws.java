package io.github.liquidscheduler.examples.extensions;

import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.PlacerContract;

/** A placer of an embedder's keeps the contract of placers. */
class SpotFirstLaws extends PlacerContract {
  @Override
  protected Placer placer() {
    return new SpotFirst();
  }
}
