/**
 * How many GPUs elastic jobs should get, as arithmetic on throughput curves: no time, no events and
 * no scheduler, so that a simulation and a scheduler can compute the same. {@link
 * io.github.liquidscheduler.simulator.reference.elastic.sizing.ThroughputCurve} is the entry.
 */
@NullMarked
package io.github.liquidscheduler.simulator.reference.elastic.sizing;

import org.jspecify.annotations.NullMarked;
