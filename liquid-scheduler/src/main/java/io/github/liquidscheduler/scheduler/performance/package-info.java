/**
 * Speeds of jobs by GPU model and the options for them: {@link
 * io.github.liquidscheduler.scheduler.performance.Performance}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.performance;

import org.jspecify.annotations.NullMarked;
