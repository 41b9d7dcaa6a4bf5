/**
 * The batch window: which jobs are planned together, and what becomes of their plan. The entry is
 * {@link io.github.liquidscheduler.scheduler.window.WindowState}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.window;

import org.jspecify.annotations.NullMarked;
