/**
 * What the queues of a tree hold, what they may hold, and who has to give back what: {@link
 * io.github.liquidscheduler.scheduler.quota.QueueBooks}. {@link
 * io.github.liquidscheduler.scheduler.quota.DominantShares} says how much of what can be lent each
 * queue borrows.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.quota;

import org.jspecify.annotations.NullMarked;
