package io.github.liquidscheduler.simulator.report;

/**
 * Tasks of one round of a job that follow each other on a GPU without a pause.
 *
 * @param gpu the position of the GPU in the cluster
 * @param job the position of the job in the trace
 * @param round the round, from 0
 * @param start when the first of them begins to compute, in seconds
 * @param end when the last of them has computed, in seconds
 */
record RoundBar(int gpu, int job, int round, double start, double end) {}
