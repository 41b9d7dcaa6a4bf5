/**
 * The batch window: jobs planned together and the intake of their plan. The entries are {@link
 * io.github.liquidscheduler.scheduler.window.PlanRequests} and {@link
 * io.github.liquidscheduler.scheduler.window.PlanIntake}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.window;

import org.jspecify.annotations.NullMarked;
