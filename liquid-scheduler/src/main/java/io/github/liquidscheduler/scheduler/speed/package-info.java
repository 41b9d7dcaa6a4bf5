/**
 * The speeds of jobs by GPU model, as predicted and as seen: {@link
 * io.github.liquidscheduler.scheduler.speed.JobSpeeds}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.speed;

import org.jspecify.annotations.NullMarked;
