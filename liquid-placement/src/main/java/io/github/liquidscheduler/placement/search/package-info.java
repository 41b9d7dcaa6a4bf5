/**
 * Search for the placement of least network cost. The entry is {@link
 * io.github.liquidscheduler.placement.search.LeastCostPlacer}.
 */
@NullMarked
package io.github.liquidscheduler.placement.search;

import org.jspecify.annotations.NullMarked;
