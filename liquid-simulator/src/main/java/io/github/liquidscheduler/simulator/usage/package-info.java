/**
 * What jobs really use, against what they ask for: {@link
 * io.github.liquidscheduler.simulator.usage.TrueUsage} is the ground truth, and {@link
 * io.github.liquidscheduler.simulator.usage.Requests} are the ways to ask.
 */
@NullMarked
package io.github.liquidscheduler.simulator.usage;

import org.jspecify.annotations.NullMarked;
