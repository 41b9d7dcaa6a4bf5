/**
 * What is known of the best plan for jobs of rounds without finding it: {@link
 * io.github.liquidscheduler.rounds.planner.bound.RoundBounds}. Pure functions; times are in
 * seconds.
 */
@NullMarked
package io.github.liquidscheduler.rounds.planner.bound;

import org.jspecify.annotations.NullMarked;
