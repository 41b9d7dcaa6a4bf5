/**
 * When running jobs are expected to end. The entry is {@link
 * io.github.liquidscheduler.scheduler.timeline.Timeline}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.timeline;

import org.jspecify.annotations.NullMarked;
