/**
 * Fills domains with gangs: what a gang requests of each node, which nodes and GPUs it gets, and
 * why none would do. The entry is {@link io.github.liquidscheduler.placement.gang.BestFitPlacer}.
 */
@NullMarked
package io.github.liquidscheduler.placement.gang;

import org.jspecify.annotations.NullMarked;
