/**
 * Accuracy of forecast starts in a simulation: {@link
 * io.github.liquidscheduler.simulator.forecast.ForecastMeter} asks, {@link
 * io.github.liquidscheduler.simulator.forecast.ForecastReport} sums up.
 */
@NullMarked
package io.github.liquidscheduler.simulator.forecast;

import org.jspecify.annotations.NullMarked;
