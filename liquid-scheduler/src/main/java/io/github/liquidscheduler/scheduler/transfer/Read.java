package io.github.liquidscheduler.scheduler.transfer;

import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.data.CopyKey;

/**
 * A job's read of a copy at its start.
 *
 * @param seconds the start, in seconds from now
 * @param gpus the GPUs that idle during the read, divided by the number of missing copies
 * @param nodes the number of nodes on which the job reads the data set
 * @param isOpen whether some GPUs of the place are free before, so that a later arrival may take
 *     them
 */
record Read(
    CopyKey copy,
    Dataset dataset,
    JobId job,
    double seconds,
    double gpus,
    int nodes,
    boolean isOpen) {}
