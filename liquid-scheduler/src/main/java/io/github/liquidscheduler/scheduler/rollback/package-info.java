/**
 * Marks of the scheduler's state, and the way back to them. The entry is {@link
 * io.github.liquidscheduler.scheduler.rollback.BeforeImages}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.rollback;

import org.jspecify.annotations.NullMarked;
