/**
 * A Slurm as a {@link io.github.liquidscheduler.reconcile.ClusterPort}: {@link
 * io.github.liquidscheduler.slurm.SlurmPort} reads its nodes and jobs, and starts, stops and
 * explains them by its commands, as a {@link io.github.liquidscheduler.slurm.SlurmConfig} says.
 */
@NullMarked
package io.github.liquidscheduler.slurm;

import org.jspecify.annotations.NullMarked;
