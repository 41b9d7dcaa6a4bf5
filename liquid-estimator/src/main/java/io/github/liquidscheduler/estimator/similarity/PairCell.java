package io.github.liquidscheduler.estimator.similarity;

import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.resource.GpuModel;

/** One cell of the table that IASP completes. */
record PairCell(WorkloadClass victim, WorkloadClass aggressor, GpuModel gpu) {}
