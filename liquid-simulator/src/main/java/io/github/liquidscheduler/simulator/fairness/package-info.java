/**
 * Fairness of a simulation: {@link io.github.liquidscheduler.simulator.fairness.QueueMeter} watches
 * a run, {@link io.github.liquidscheduler.simulator.fairness.FairnessReport} sums it up.
 */
@NullMarked
package io.github.liquidscheduler.simulator.fairness;

import org.jspecify.annotations.NullMarked;
