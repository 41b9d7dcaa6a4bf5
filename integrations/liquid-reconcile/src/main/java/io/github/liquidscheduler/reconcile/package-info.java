/**
 * Between a scheduler and a cluster manager that people own, such as Slurm. A {@link
 * io.github.liquidscheduler.reconcile.ClusterPort} shows what the manager has; each pass compares
 * all of it with all that the scheduler believes, reports the differences as events, and commands
 * what was decided and is not there yet.
 */
@NullMarked
package io.github.liquidscheduler.reconcile;

import org.jspecify.annotations.NullMarked;
