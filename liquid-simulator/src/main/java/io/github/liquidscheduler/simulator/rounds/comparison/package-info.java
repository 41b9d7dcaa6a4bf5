/**
 * Algorithms for jobs of rounds side by side, on generated jobs: {@link
 * io.github.liquidscheduler.simulator.rounds.comparison.RoundComparison}.
 */
@NullMarked
package io.github.liquidscheduler.simulator.rounds.comparison;

import org.jspecify.annotations.NullMarked;
