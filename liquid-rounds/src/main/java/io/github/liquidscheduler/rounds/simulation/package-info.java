/**
 * Runs of a {@link io.github.liquidscheduler.rounds.scheduler.RoundScheduler} in virtual time:
 * {@link io.github.liquidscheduler.rounds.simulation.OnlineRounds}.
 */
@NullMarked
package io.github.liquidscheduler.rounds.simulation;

import org.jspecify.annotations.NullMarked;
