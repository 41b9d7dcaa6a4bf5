/**
 * Assumptions of a simulation beside the trace: overheads of starts ({@link
 * io.github.liquidscheduler.simulator.conditions.Overheads}), known durations, and requests.
 */
@NullMarked
package io.github.liquidscheduler.simulator.conditions;

import org.jspecify.annotations.NullMarked;
