/**
 * What is known of the best plan for jobs of rounds without finding it: {@link
 * io.github.liquidscheduler.planner.rounds.bound.RoundBounds}. Pure functions; times are in
 * seconds.
 */
@NullMarked
package io.github.liquidscheduler.planner.rounds.bound;

import org.jspecify.annotations.NullMarked;
