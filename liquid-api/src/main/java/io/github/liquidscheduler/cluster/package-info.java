/**
 * The cluster as the scheduler sees it: what it is made of ({@link
 * io.github.liquidscheduler.cluster.ClusterTopology}), what is free at an instant ({@link
 * io.github.liquidscheduler.cluster.ClusterView}) and where a job runs ({@link
 * io.github.liquidscheduler.cluster.Placement}).
 */
@NullMarked
package io.github.liquidscheduler.cluster;

import org.jspecify.annotations.NullMarked;
