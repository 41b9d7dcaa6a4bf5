/**
 * Options and policies: order of jobs, batching, backfill, elasticity, pre-emption. The entry is
 * {@link io.github.liquidscheduler.scheduler.policy.Policies}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.policy;

import org.jspecify.annotations.NullMarked;
