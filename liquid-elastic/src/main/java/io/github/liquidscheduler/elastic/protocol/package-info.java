/**
 * The control layer as two deterministic state machines that know neither clock, thread nor socket:
 * {@link io.github.liquidscheduler.elastic.protocol.Leader} and {@link
 * io.github.liquidscheduler.elastic.protocol.Worker}. Messages and times go in, messages come out.
 *
 * <p>All workers train mini-batches, called steps, in lockstep. When a worker's gradients of a step
 * are summed it reports the step and waits ({@link
 * io.github.liquidscheduler.elastic.protocol.ToLeader.BatchEnd}); when all members of the topology
 * have reported, the leader commits the step and lets them proceed. A step is applied to the model
 * only when it is committed, and a topology changes only between steps, so that those who survive a
 * crash agree on the model. Each worker holds a copy of the partition ledger, from which the next
 * leader goes on.
 */
@NullMarked
package io.github.liquidscheduler.elastic.protocol;

import org.jspecify.annotations.NullMarked;
