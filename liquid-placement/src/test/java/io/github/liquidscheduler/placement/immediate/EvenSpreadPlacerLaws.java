package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.scheduling.Placer;

class EvenSpreadPlacerLaws extends PlacerContract {

  @Override
  Placer placer() {
    return TaskByTaskPlacer.evenSpread();
  }
}
