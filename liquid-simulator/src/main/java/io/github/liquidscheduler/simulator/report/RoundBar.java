package io.github.liquidscheduler.simulator.report;

/** Tasks of one round of a job on a GPU without a pause between, by positions; times in seconds. */
record RoundBar(int gpu, int job, int round, double start, double end) {}
