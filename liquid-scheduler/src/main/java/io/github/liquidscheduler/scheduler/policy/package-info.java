/**
 * In which order jobs are scheduled, and when they are batched. The entry is {@link
 * io.github.liquidscheduler.scheduler.policy.Policies}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.policy;

import org.jspecify.annotations.NullMarked;
