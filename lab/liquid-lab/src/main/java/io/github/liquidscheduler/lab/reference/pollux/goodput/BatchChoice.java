package io.github.liquidscheduler.lab.reference.pollux.goodput;

import io.github.liquidscheduler.lab.reference.pollux.application.LocalBatch;

/**
 * The best batch size for some GPUs.
 *
 * @param goodput progress a second, in steps of the initial batch size
 * @param batch the batch of each GPU
 */
public record BatchChoice(double goodput, LocalBatch batch) {}
