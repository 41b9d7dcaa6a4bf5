package io.github.liquidscheduler.lab.baseline;

import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.PlacerContract;

class LiquidPlacerLaws extends PlacerContract {

  @Override
  protected Placer placer() {
    return BaselinePlacers.liquid();
  }
}
