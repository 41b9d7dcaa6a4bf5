package io.github.liquidscheduler.scheduler.deadline;

/**
 * The promised share of a job: a number of tasks in its first role from a start on. Times are
 * nanoseconds since the epoch.
 *
 * @param tasks the size, one of those allowed
 * @param start the start
 * @param end the latest end
 * @param mayStartLarger whether there is time to start larger and shrink to the share
 */
record Share(int tasks, long start, long end, boolean mayStartLarger) {}
