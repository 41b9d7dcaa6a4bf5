package io.github.liquidscheduler.simulator.slowdown;

import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;

/** One direction of a measured pair; the retained speed of the victim is in (0, 1.05]. */
record SlowdownRow(
    GpuModel gpu, ColocationProfile victim, ColocationProfile coRunner, double retained) {}
