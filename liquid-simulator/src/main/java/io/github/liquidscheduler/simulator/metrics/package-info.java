/**
 * Metrics of a simulated run. {@link io.github.liquidscheduler.simulator.metrics.JctStatistics}
 * summarises the {@link io.github.liquidscheduler.simulator.metrics.JobOutcome}s of a run,
 * whichever scheduler made them.
 */
@NullMarked
package io.github.liquidscheduler.simulator.metrics;

import org.jspecify.annotations.NullMarked;
