package io.github.liquidscheduler.benchmarks;

import java.time.Duration;

/**
 * How much to measure.
 *
 * @param warmUps runs in bulk that do not count, at least
 * @param warmUpTime time that such runs go on for, at least: short runs need many until the JVM has
 *     compiled what they call
 * @param repetitions timed runs in bulk, of which the median counts
 * @param calls timed calls of one task, at most
 * @param patience time after which no further call of one task is started
 * @param seed of the tasks
 */
record Effort(
    int warmUps, Duration warmUpTime, int repetitions, int calls, Duration patience, long seed) {}
