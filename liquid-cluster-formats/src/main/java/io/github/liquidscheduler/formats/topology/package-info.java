/**
 * Cluster topologies from files and command output of Slurm, Kubernetes and NVIDIA: {@link
 * io.github.liquidscheduler.formats.topology.TopologyReader}.
 */
@NullMarked
package io.github.liquidscheduler.formats.topology;

import org.jspecify.annotations.NullMarked;
