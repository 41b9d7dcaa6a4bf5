package io.github.liquidscheduler.simulator.report;

/**
 * A running job got another number of GPUs.
 *
 * @param job the position of the job in the trace
 * @param at when, in seconds since the start of the trace
 * @param before how many GPUs it had
 * @param after how many it has
 */
record SizeChange(int job, long at, int before, int after) {}
