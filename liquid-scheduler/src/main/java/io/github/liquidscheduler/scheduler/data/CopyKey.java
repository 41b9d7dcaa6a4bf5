package io.github.liquidscheduler.scheduler.data;

import io.github.liquidscheduler.cluster.NodeId;

/**
 * What tells copies apart.
 *
 * @param node where the copy is, or is to be
 * @param dataset the name of its data set
 */
public record CopyKey(NodeId node, String dataset) {}
