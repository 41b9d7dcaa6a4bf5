package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.scheduling.Placer;

class RandomPlacerLaws extends PlacerContract {

  @Override
  Placer placer() {
    return TaskByTaskPlacer.random(42);
  }
}
