/**
 * Starts waiting jobs, and pre-empts others for them. The entry is {@link
 * io.github.liquidscheduler.scheduler.start.Start}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.start;

import org.jspecify.annotations.NullMarked;
