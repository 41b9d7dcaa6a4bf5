package io.github.liquidscheduler.simulator.baseline;

import io.github.liquidscheduler.placement.gang.PlacerContract;
import io.github.liquidscheduler.scheduling.Placer;

class LiquidPlacerLaws extends PlacerContract {

  @Override
  public Placer placer() {
    return TaskByTaskPlacer.liquid();
  }
}
