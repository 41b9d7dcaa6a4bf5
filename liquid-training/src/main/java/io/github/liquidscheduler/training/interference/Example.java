package io.github.liquidscheduler.training.interference;

import io.github.liquidscheduler.resource.GpuModel;

/** One row to learn from: its columns, of which unknown ones are NaN, and the retained speed. */
@SuppressWarnings("ArrayRecordComponent")
record Example(double[] features, GpuModel gpu, double speed) {}
