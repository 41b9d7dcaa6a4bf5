/**
 * Quotas of queues in a tree: usage, admission, shares, lending and reclaim. The entry is {@link
 * io.github.liquidscheduler.scheduler.quota.QueueBooks}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.quota;

import org.jspecify.annotations.NullMarked;
