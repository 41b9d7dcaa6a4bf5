/**
 * Queues that share a cluster: a {@link io.github.liquidscheduler.queue.QueueTree} says what each
 * is guaranteed, what it may hold at most, and how what is left over is divided.
 */
@NullMarked
package io.github.liquidscheduler.queue;

import org.jspecify.annotations.NullMarked;
