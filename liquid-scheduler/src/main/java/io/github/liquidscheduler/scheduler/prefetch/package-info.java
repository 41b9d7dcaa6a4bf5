/**
 * Data sets brought to nodes before the jobs that read them: {@link
 * io.github.liquidscheduler.scheduler.prefetch.Prefetching} says which to begin now and which to
 * cancel, from where the scheduler expects waiting jobs to start.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.prefetch;

import org.jspecify.annotations.NullMarked;
