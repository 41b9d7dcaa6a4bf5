/**
 * Quotas of queues in a tree: usage, admission, shares, lending and reclaim. The entry is {@link
 * io.github.liquidscheduler.scheduler.quota.QueueBooks}; {@link
 * io.github.liquidscheduler.scheduler.quota.DominantShares} computes how much of the lendable quota
 * each queue borrows.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.quota;

import org.jspecify.annotations.NullMarked;
