/**
 * What placements cost: the parameters of the network model and what a cost is made of. The entry
 * is {@link io.github.liquidscheduler.placement.cost.NetworkParameters}.
 */
@NullMarked
package io.github.liquidscheduler.placement.cost;

import org.jspecify.annotations.NullMarked;
