package io.github.liquidscheduler.scheduler.data;

import io.github.liquidscheduler.cluster.NodeId;

/**
 * The identity of a copy of a data set.
 *
 * @param dataset the name of its data set
 */
public record CopyKey(NodeId node, String dataset) {}
