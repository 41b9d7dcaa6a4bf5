/**
 * The second state machine: {@link io.github.liquidscheduler.rounds.scheduler.RoundScheduler}
 * decides which task of which job runs next on which GPU of a pool, for jobs that train in rounds
 * (Hare, HPDC'22; HLAS, IEEE TCC 2024). {@link
 * io.github.liquidscheduler.rounds.scheduler.PooledScheduler} lets such jobs run beside all others
 * of a cluster.
 */
@NullMarked
package io.github.liquidscheduler.rounds.scheduler;

import org.jspecify.annotations.NullMarked;
