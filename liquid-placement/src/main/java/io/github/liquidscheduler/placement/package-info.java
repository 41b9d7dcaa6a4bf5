/**
 * Placement of jobs: {@link io.github.liquidscheduler.placement.Placers} makes the placers of the
 * library, and {@link io.github.liquidscheduler.placement.PlacementComparison} sets the placement
 * chosen beside others.
 */
@NullMarked
package io.github.liquidscheduler.placement;

import org.jspecify.annotations.NullMarked;
