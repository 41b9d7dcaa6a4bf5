package io.github.liquidscheduler.simulator.baseline;

import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.PlacerContract;

class EvenSpreadPlacerLaws extends PlacerContract {

  @Override
  protected Placer placer() {
    return TaskByTaskPlacer.by(NodeScore.fewestHeldGpus());
  }
}
