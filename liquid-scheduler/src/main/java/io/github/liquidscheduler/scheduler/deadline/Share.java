package io.github.liquidscheduler.scheduler.deadline;

/**
 * What GPUs a job is promised: so many tasks in its first role, from a start on. Times are
 * nanoseconds since the epoch.
 *
 * @param tasks its size, one of those it allows
 * @param start when it starts
 * @param end when it has ended, at the latest
 * @param mayStartLarger whether there is time to start with more and go back to the share
 */
record Share(int tasks, long start, long end, boolean mayStartLarger) {}
