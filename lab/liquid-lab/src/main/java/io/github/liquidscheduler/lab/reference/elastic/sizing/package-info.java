/**
 * How many GPUs elastic jobs should get, as arithmetic on a {@link
 * io.github.liquidscheduler.simulator.elastic.ThroughputCurve}: no time, no events, no scheduler.
 */
@NullMarked
package io.github.liquidscheduler.lab.reference.elastic.sizing;

import org.jspecify.annotations.NullMarked;
