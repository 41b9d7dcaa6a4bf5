package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.workload.WorkloadClass;

/** A class that was slowed down, and the class beside it. */
record LocalPair(WorkloadClass victim, WorkloadClass other) {}
