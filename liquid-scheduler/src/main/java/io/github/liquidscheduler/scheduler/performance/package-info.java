/**
 * How fast jobs are on each GPU model, and what the scheduler makes of it: {@link
 * io.github.liquidscheduler.scheduler.performance.Performance}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.performance;

import org.jspecify.annotations.NullMarked;
