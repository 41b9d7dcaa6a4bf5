package io.github.liquidscheduler.simulator.report;

import io.github.liquidscheduler.explanation.Explanation;

/** Why a job waited at one moment, in seconds since the start of the trace. */
record WaitingSample(long at, Explanation explanation) {}
