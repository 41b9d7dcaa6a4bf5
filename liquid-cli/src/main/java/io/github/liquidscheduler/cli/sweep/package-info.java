/**
 * Sweeps: grids of traces, clusters, policies and conditions, whose cells run in this process or as
 * a Slurm job array; {@link io.github.liquidscheduler.cli.sweep.LocalSweep} runs them here.
 */
@NullMarked
package io.github.liquidscheduler.cli.sweep;

import org.jspecify.annotations.NullMarked;
