/**
 * What a scheduler remembers, as one value: {@link
 * io.github.liquidscheduler.scheduler.state.SchedulerState}, and its snapshots by sections.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.state;

import org.jspecify.annotations.NullMarked;
