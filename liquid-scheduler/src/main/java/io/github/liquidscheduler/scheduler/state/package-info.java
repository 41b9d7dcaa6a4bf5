/**
 * The scheduler's whole state as one value: {@link
 * io.github.liquidscheduler.scheduler.state.SchedulerState}, with its snapshots by section.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.state;

import org.jspecify.annotations.NullMarked;
