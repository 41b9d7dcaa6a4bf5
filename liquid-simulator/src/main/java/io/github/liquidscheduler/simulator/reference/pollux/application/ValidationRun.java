package io.github.liquidscheduler.simulator.reference.pollux.application;

/**
 * A training run at a fixed batch size: its figures at the end of each epoch.
 *
 * @param progress steps of the initial batch size that were worth as much
 * @param iterations steps
 * @param noise the statistics of the gradients
 */
record ValidationRun(double[] progress, double[] iterations, GradientNoise[] noise) {

  int epochs() {
    return progress.length;
  }
}
