package io.github.liquidscheduler.training.interference;

import io.github.liquidscheduler.resource.GpuModel;

/**
 * One row to learn from.
 *
 * @param features the columns; unknown ones are NaN
 * @param gpu the GPU model
 * @param speed the retained speed measured
 */
@SuppressWarnings("ArrayRecordComponent")
record Example(double[] features, GpuModel gpu, double speed) {}
