/**
 * How others schedule jobs that train in rounds, to compare with: gangs that hold their GPUs, and
 * jobs of one GPU each. Pure functions; times are in seconds.
 */
@NullMarked
package io.github.liquidscheduler.simulator.rounds.baseline;

import org.jspecify.annotations.NullMarked;
