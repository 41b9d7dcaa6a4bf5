package io.github.liquidscheduler.lab.reference.fgd;

/**
 * Which fraction of the GPUs was allocated.
 *
 * @param atCapacity once as much was requested as there is
 * @param atEnd once 1.3 times as much was
 */
public record AllocationRates(double atCapacity, double atEnd) {}
