package io.github.liquidscheduler.simulator.slowdown;

import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;

/**
 * One direction of a measured pair.
 *
 * @param gpu the GPU model
 * @param victim the job that is slowed down
 * @param coRunner the job beside it
 * @param retained the retained speed of the victim, in (0, 1.05]
 */
record SlowdownRow(
    GpuModel gpu, ColocationProfile victim, ColocationProfile coRunner, double retained) {}
