/**
 * Who leaves, moves or gets smaller so that a waiting job fits: {@link
 * io.github.liquidscheduler.scheduler.eviction.Preemption} without queues in a tree, {@link
 * io.github.liquidscheduler.scheduler.eviction.QueueEviction} with them, {@link
 * io.github.liquidscheduler.scheduler.eviction.Consolidation} where all go on elsewhere.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.eviction;

import org.jspecify.annotations.NullMarked;
