/**
 * Readers of what other tools say about the build of a cluster; {@link
 * io.github.liquidscheduler.simulator.topology.TopologyReader} is the way in.
 */
@NullMarked
package io.github.liquidscheduler.simulator.topology;

import org.jspecify.annotations.NullMarked;
