package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.scheduling.Placer;

class PackPlacerLaws extends PlacerContract {

  @Override
  Placer placer() {
    return TaskByTaskPlacer.pack();
  }
}
