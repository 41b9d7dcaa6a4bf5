package io.github.liquidscheduler.scheduler.transfer;

import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.data.CopyKey;

/**
 * A job reads a copy when it starts.
 *
 * @param copy the copy
 * @param dataset its data set
 * @param job the job
 * @param seconds when it starts, in seconds from the present
 * @param gpus the GPUs that idle while it reads, in parts for each copy that it lacks
 * @param nodes on how many nodes it reads the data set
 * @param isOpen whether GPUs of its place are free before it starts, so that a job that comes
 *     meanwhile may take them
 */
record Read(
    CopyKey copy,
    Dataset dataset,
    JobId job,
    double seconds,
    double gpus,
    int nodes,
    boolean isOpen) {}
