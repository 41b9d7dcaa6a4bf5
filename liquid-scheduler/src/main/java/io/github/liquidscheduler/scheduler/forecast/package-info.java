/**
 * When waiting jobs start, with how sure that is: {@link
 * io.github.liquidscheduler.scheduler.forecast.StartForecasts} looks ahead in scenarios of how long
 * jobs run, and calibrates what they span on past starts.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.forecast;

import org.jspecify.annotations.NullMarked;
