/**
 * Start time forecasts with intervals: {@link
 * io.github.liquidscheduler.scheduler.forecast.StartForecasts} looks ahead in run-time scenarios
 * and calibrates their spread on past starts.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.forecast;

import org.jspecify.annotations.NullMarked;
