/**
 * Victims, moves and shrinking for a waiting job: {@link
 * io.github.liquidscheduler.scheduler.eviction.Preemption} without a queue tree, {@link
 * io.github.liquidscheduler.scheduler.eviction.QueueEviction} with one, {@link
 * io.github.liquidscheduler.scheduler.eviction.Consolidation} if all jobs continue elsewhere.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.eviction;

import org.jspecify.annotations.NullMarked;
