package io.github.liquidscheduler.estimator.workload;

import io.github.liquidscheduler.resource.GpuModel;

/**
 * A class of workloads on a GPU model.
 *
 * @param workload the class
 * @param gpu where it runs
 */
public record ClassOnGpu(WorkloadClass workload, GpuModel gpu) {}
