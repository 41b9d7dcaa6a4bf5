package io.github.liquidscheduler.simulator.report;

import io.github.liquidscheduler.explanation.Explanation;

/**
 * Why a job waited at one moment.
 *
 * @param at the moment, in seconds since the start of the trace
 * @param explanation what the scheduler said
 */
record WaitingSample(long at, Explanation explanation) {}
