/**
 * How fairly queues and jobs were treated in a simulation: {@link
 * io.github.liquidscheduler.simulator.fairness.QueueMeter} watches a run, {@link
 * io.github.liquidscheduler.simulator.fairness.FairnessReport} says what came out.
 */
@NullMarked
package io.github.liquidscheduler.simulator.fairness;

import org.jspecify.annotations.NullMarked;
