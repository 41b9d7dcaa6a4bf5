package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.scheduling.Placer;

class LiquidPlacerLaws extends PlacerContract {

  @Override
  Placer placer() {
    return TaskByTaskPlacer.liquid();
  }
}
