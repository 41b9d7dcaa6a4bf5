/**
 * A live job as the scheduler sees it: {@link io.github.liquidscheduler.scheduler.job.JobEntry},
 * with its history, its rank and what is known of the jobs that are placed alike.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.job;

import org.jspecify.annotations.NullMarked;
