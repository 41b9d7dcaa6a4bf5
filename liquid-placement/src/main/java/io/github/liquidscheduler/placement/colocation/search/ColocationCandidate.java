package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.cluster.Placement;

/**
 * The best co-runners found for a job.
 *
 * @param placement the placement of the job
 * @param cost its cost, in the policy's unit
 */
record ColocationCandidate(Placement placement, double cost) {}
