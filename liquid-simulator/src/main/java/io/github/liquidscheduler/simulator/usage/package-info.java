/**
 * Usage and requests of simulated jobs: {@link io.github.liquidscheduler.simulator.usage.TrueUsage}
 * is the ground truth, {@link io.github.liquidscheduler.simulator.usage.Requests} are the request
 * models.
 */
@NullMarked
package io.github.liquidscheduler.simulator.usage;

import org.jspecify.annotations.NullMarked;
