/**
 * Data sets brought to nodes before the jobs that read them: {@link
 * io.github.liquidscheduler.scheduler.prefetch.Prefetching} says by which rules a scheduler does.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.prefetch;

import org.jspecify.annotations.NullMarked;
