/**
 * Deadline guarantees: {@link io.github.liquidscheduler.scheduler.deadline.SharePlan} knows the
 * GPUs promised to each job, and {@link
 * io.github.liquidscheduler.scheduler.deadline.DeadlineAdmission} promises them.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.deadline;

import org.jspecify.annotations.NullMarked;
