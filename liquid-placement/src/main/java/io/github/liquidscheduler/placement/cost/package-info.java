/**
 * The cost of placements: parameters of the network model and the terms of a cost. The entry is
 * {@link io.github.liquidscheduler.placement.cost.NetworkParameters}.
 */
@NullMarked
package io.github.liquidscheduler.placement.cost;

import org.jspecify.annotations.NullMarked;
