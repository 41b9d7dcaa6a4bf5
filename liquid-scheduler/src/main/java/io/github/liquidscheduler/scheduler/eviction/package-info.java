/**
 * Running jobs that stop, move or shrink for a waiting one. The entry is {@link
 * io.github.liquidscheduler.scheduler.eviction.VictimSearch}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.eviction;

import org.jspecify.annotations.NullMarked;
