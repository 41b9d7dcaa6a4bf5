package io.github.liquidscheduler.scheduler.order;

import io.github.liquidscheduler.queue.Reclaiming;

/**
 * The rules by which running jobs give way.
 *
 * @param form the form of reclaim between queues
 * @param ranks the jobs of its own queue that a job may have stopped
 */
public record TakingRules(Reclaiming form, RankRule ranks) {}
