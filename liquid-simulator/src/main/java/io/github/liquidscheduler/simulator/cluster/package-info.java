/**
 * Clusters as text: {@link io.github.liquidscheduler.simulator.cluster.ClusterShorthand} reads the
 * one-line form that the command line takes.
 */
@NullMarked
package io.github.liquidscheduler.simulator.cluster;

import org.jspecify.annotations.NullMarked;
