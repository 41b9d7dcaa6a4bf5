/**
 * Measured co-locations: one is a {@link
 * io.github.liquidscheduler.training.measurement.Measurement}; files of them are read and written
 * by {@link io.github.liquidscheduler.training.measurement.MeasurementCsv}, and Gavel's published
 * throughputs by {@link io.github.liquidscheduler.training.measurement.GavelMeasurements}.
 */
@NullMarked
package io.github.liquidscheduler.training.measurement;

import org.jspecify.annotations.NullMarked;
