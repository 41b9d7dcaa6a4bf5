package io.github.liquidscheduler.lab.reference.pollux.application;

import java.util.List;

/**
 * A training run at a fixed batch size.
 *
 * @param ends its figures at the end of each epoch
 */
record ValidationRun(List<EpochEnd> ends) {

  /**
   * Where a run is at the end of an epoch.
   *
   * @param progress steps of the initial batch size that were worth as much
   * @param iterations steps
   * @param noise the statistics of the gradients
   */
  record EpochEnd(double progress, double iterations, GradientNoise noise) {}

  ValidationRun {
    ends = List.copyOf(ends);
  }

  int epochs() {
    return ends.size();
  }
}
