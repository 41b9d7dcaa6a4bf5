package io.github.liquidscheduler.simulator.report;

/** A running job got another number of GPUs, some seconds after the start of the trace. */
record SizeChange(int job, long at, int before, int after) {}
