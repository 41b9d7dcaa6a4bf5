/** A Slurm as a {@link io.github.liquidscheduler.reconcile.ClusterPort}. */
@NullMarked
package io.github.liquidscheduler.slurm;

import org.jspecify.annotations.NullMarked;
