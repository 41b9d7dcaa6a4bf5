/**
 * What a deep-learning job asks for and is like: {@link io.github.liquidscheduler.job.JobSpec} and
 * its parts.
 */
@NullMarked
package io.github.liquidscheduler.job;

import org.jspecify.annotations.NullMarked;
