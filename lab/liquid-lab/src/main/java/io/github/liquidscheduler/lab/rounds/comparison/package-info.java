/**
 * Algorithms for jobs of rounds side by side, on generated jobs: {@link
 * io.github.liquidscheduler.lab.rounds.comparison.RoundComparison}.
 */
@NullMarked
package io.github.liquidscheduler.lab.rounds.comparison;

import org.jspecify.annotations.NullMarked;
