/** Ended jobs: {@link io.github.liquidscheduler.scheduler.ended.EndedJobs}. */
@NullMarked
package io.github.liquidscheduler.scheduler.ended;

import org.jspecify.annotations.NullMarked;
