package io.github.liquidscheduler.scheduler.quota;

/**
 * The next job of a queue.
 *
 * @param charge the amounts that it requests at its smallest size
 * @param rank its rank by the policy; the lowest goes first
 * @param sequence its number among all submissions
 */
public record NextJob(Charge charge, long rank, long sequence) {}
