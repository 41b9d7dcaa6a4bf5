/**
 * Options of prefetching data sets to nodes: {@link
 * io.github.liquidscheduler.scheduler.prefetch.Prefetching}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.prefetch;

import org.jspecify.annotations.NullMarked;
