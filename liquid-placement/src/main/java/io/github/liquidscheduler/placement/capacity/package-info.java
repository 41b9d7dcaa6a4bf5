/**
 * Free capacity: {@link io.github.liquidscheduler.placement.capacity.ClusterState}, over an index
 * aggregated along the topology tree, so that no search has to look at all nodes.
 */
@NullMarked
package io.github.liquidscheduler.placement.capacity;

import org.jspecify.annotations.NullMarked;
