/**
 * What is free: {@link io.github.liquidscheduler.placement.capacity.ClusterState}, and behind it an
 * index of free capacity that is aggregated along the topology tree, so that nobody has to look at
 * all nodes.
 */
@NullMarked
package io.github.liquidscheduler.placement.capacity;

import org.jspecify.annotations.NullMarked;
