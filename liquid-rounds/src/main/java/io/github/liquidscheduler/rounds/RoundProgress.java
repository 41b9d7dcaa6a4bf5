package io.github.liquidscheduler.rounds;

/**
 * The progress of a job.
 *
 * @param round the round it is in, from 0
 * @param synchronizedTasks how many tasks of it have synchronized
 * @param runningTasks how many tasks of it compute or synchronize
 * @param repeatedRuns how many runs of its tasks did not count: failed, stopped, or on a GPU that
 *     was lost
 */
public record RoundProgress(
    int round, int synchronizedTasks, int runningTasks, long repeatedRuns) {}
