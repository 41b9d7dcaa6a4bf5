/**
 * When waiting jobs start, with how sure that is: {@link
 * io.github.liquidscheduler.scheduler.forecast.StartForecasts} calibrates expected starts on those
 * of the past.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.forecast;

import org.jspecify.annotations.NullMarked;
