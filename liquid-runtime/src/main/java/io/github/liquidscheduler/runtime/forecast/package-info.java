/**
 * Start time forecasts with intervals: {@link
 * io.github.liquidscheduler.runtime.forecast.StartForecasts} looks ahead in run-time scenarios and
 * calibrates their spread on past starts.
 */
@NullMarked
package io.github.liquidscheduler.runtime.forecast;

import org.jspecify.annotations.NullMarked;
