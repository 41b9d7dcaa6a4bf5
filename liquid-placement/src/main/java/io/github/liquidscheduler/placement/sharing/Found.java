package io.github.liquidscheduler.placement.sharing;

import io.github.liquidscheduler.cluster.Placement;

/**
 * The best company found for a job.
 *
 * @param placement where the job goes
 * @param cost what that costs, in the rule's unit
 */
record Found(Placement placement, double cost) {}
