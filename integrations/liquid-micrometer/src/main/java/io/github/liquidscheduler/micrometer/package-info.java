/**
 * Meters: {@link io.github.liquidscheduler.micrometer.SchedulerMetrics} listens to a scheduler and
 * tells a registry of Micrometer what it hears.
 */
@NullMarked
package io.github.liquidscheduler.micrometer;

import org.jspecify.annotations.NullMarked;
