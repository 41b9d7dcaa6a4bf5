package io.github.liquidscheduler.scheduler.quota;

/**
 * The job of a queue that is next in turn.
 *
 * @param charge what it asks for at least
 * @param rank its rank by the policy; the lowest goes first
 * @param sequence when it was submitted, among all jobs
 */
public record NextJob(Charge charge, long rank, long sequence) {}
