/**
 * Predicted and measured speeds of jobs by GPU model: {@link
 * io.github.liquidscheduler.scheduler.speed.JobSpeeds}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.speed;

import org.jspecify.annotations.NullMarked;
