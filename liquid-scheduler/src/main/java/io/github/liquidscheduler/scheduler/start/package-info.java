/**
 * Starts waiting jobs. The entry is {@link io.github.liquidscheduler.scheduler.start.Start}; who
 * leaves for them is found out in {@link io.github.liquidscheduler.scheduler.eviction}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.start;

import org.jspecify.annotations.NullMarked;
