/**
 * Placement of gangs: their requests, the nodes and GPUs they get, and explanations if none fit.
 * The entry is {@link io.github.liquidscheduler.placement.gang.BestFitPlacer}.
 */
@NullMarked
package io.github.liquidscheduler.placement.gang;

import org.jspecify.annotations.NullMarked;
