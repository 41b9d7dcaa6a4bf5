/**
 * Descriptions of deep-learning jobs: {@link io.github.liquidscheduler.job.JobSpec} and its parts.
 */
@NullMarked
package io.github.liquidscheduler.job;

import org.jspecify.annotations.NullMarked;
