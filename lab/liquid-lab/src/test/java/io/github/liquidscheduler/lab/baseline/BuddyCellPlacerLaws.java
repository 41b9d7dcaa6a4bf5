package io.github.liquidscheduler.lab.baseline;

import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.PlacerContract;

class BuddyCellPlacerLaws extends PlacerContract {

  @Override
  protected Placer placer() {
    return BaselinePlacers.buddyCells();
  }
}
