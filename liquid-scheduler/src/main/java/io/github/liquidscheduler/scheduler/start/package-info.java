/**
 * Starts of waiting jobs. The entry is {@link io.github.liquidscheduler.scheduler.start.Start};
 * victims are found in {@link io.github.liquidscheduler.scheduler.eviction}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.start;

import org.jspecify.annotations.NullMarked;
