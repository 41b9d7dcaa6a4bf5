package io.github.liquidscheduler.estimator.interference;

/**
 * The learned state of one GPU model.
 *
 * @param pairs the pairs that were watched
 * @param drift how far off recent predictions were
 */
record GpuState(WatchedPairs pairs, DriftDetector drift) {
  static final GpuState NONE = new GpuState(WatchedPairs.NONE, DriftDetector.NONE);
}
