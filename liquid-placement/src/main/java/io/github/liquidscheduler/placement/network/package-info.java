/**
 * What a placement costs on the network: {@link
 * io.github.liquidscheduler.placement.network.NetworkModel} says how many seconds of each iteration
 * the traffic of a job needs, {@link io.github.liquidscheduler.placement.network.LinkLoads} who
 * sends how much over which link, and {@link
 * io.github.liquidscheduler.placement.network.PlacementCost} makes one number of it for a placer to
 * minimise. Candidates are counts of tasks by node, so that scoring one makes no garbage.
 */
@NullMarked
package io.github.liquidscheduler.placement.network;

import org.jspecify.annotations.NullMarked;
