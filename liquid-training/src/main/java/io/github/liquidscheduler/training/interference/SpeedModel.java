package io.github.liquidscheduler.training.interference;

/** What is learned: the retained speed of a row, for familiar classes and for strangers. */
interface SpeedModel {
  double familiar(double[] features);

  double strange(double[] features);
}
