/**
 * The loop around a scheduler: a {@link io.github.liquidscheduler.runtime.SchedulerLoop} takes
 * events from any thread, feeds them to the scheduler one by one, journals them and hands the
 * decisions out. Threads and the clock are the embedder's.
 */
@NullMarked
package io.github.liquidscheduler.runtime;

import org.jspecify.annotations.NullMarked;
