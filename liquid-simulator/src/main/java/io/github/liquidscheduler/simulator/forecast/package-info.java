/**
 * How well starts were foreseen in a simulation: {@link
 * io.github.liquidscheduler.simulator.forecast.ForecastMeter} asks, {@link
 * io.github.liquidscheduler.simulator.forecast.ForecastReport} says what came out.
 */
@NullMarked
package io.github.liquidscheduler.simulator.forecast;

import org.jspecify.annotations.NullMarked;
