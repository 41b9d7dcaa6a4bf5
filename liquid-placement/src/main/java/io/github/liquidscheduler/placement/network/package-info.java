/**
 * The network cost of placements: {@link io.github.liquidscheduler.placement.network.NetworkModel}
 * computes the seconds of a job's traffic in each iteration, {@link
 * io.github.liquidscheduler.placement.network.LinkLoads} holds the traffic on each link, and {@link
 * io.github.liquidscheduler.placement.network.PhysicalCost} turns both into the number that a
 * placer minimises. Candidates are counts of tasks by node, so that scoring one makes no garbage.
 */
@NullMarked
package io.github.liquidscheduler.placement.network;

import org.jspecify.annotations.NullMarked;
