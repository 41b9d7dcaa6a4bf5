package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.scheduling.Placer;

class BuddyCellPlacerLaws extends PlacerContract {

  @Override
  Placer placer() {
    return TaskByTaskPlacer.buddyCells();
  }
}
