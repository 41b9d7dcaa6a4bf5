/**
 * What a scheduler can know of a training job's goodput: a throughput model fitted to the steps
 * that were observed, times the statistical efficiency that the job reports. {@link
 * io.github.liquidscheduler.lab.reference.pollux.goodput.JobEstimate} is the entry.
 */
@NullMarked
package io.github.liquidscheduler.lab.reference.pollux.goodput;

import org.jspecify.annotations.NullMarked;
