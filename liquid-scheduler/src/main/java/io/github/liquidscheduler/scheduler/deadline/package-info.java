/**
 * Which jobs can meet their deadlines: a {@link
 * io.github.liquidscheduler.scheduler.deadline.SharePlan} knows what GPUs are promised to whom, and
 * {@link io.github.liquidscheduler.scheduler.deadline.DeadlineAdmission} promises them.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.deadline;

import org.jspecify.annotations.NullMarked;
