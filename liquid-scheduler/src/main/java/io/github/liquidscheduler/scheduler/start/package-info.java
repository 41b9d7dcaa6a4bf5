/**
 * Starts waiting jobs, and pre-empts others for them. The entry is {@link
 * io.github.liquidscheduler.scheduler.start.StartPass}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.start;

import org.jspecify.annotations.NullMarked;
