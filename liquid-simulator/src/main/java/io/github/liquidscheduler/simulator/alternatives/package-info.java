/**
 * The placements that a job could have instead of the chosen one: {@link
 * io.github.liquidscheduler.simulator.alternatives.PlacementComparison}.
 */
@NullMarked
package io.github.liquidscheduler.simulator.alternatives;

import org.jspecify.annotations.NullMarked;
