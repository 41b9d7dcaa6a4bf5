/**
 * Waiting, running and ended jobs. The entry is {@link
 * io.github.liquidscheduler.scheduler.queue.JobTable}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.queue;

import org.jspecify.annotations.NullMarked;
