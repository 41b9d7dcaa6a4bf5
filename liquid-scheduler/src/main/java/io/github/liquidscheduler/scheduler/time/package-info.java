/**
 * Arithmetic of times that are capped instead of overflowing: {@link
 * io.github.liquidscheduler.scheduler.time.GpuTime}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.time;

import org.jspecify.annotations.NullMarked;
