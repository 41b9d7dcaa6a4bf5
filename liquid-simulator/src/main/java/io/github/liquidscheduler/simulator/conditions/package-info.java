/**
 * What a simulation assumes beside the trace: what starts cost ({@link
 * io.github.liquidscheduler.simulator.conditions.Overheads}), what the scheduler is told of
 * durations, and what jobs request.
 */
@NullMarked
package io.github.liquidscheduler.simulator.conditions;

import org.jspecify.annotations.NullMarked;
