/**
 * Runs traces against a scheduler in virtual time: {@link
 * io.github.liquidscheduler.simulator.Simulation} feeds the same {@link
 * io.github.liquidscheduler.scheduling.Scheduler} that an embedder runs, moves the jobs by a ground
 * truth that the scheduler never sees, and sums up what came out as a {@link
 * io.github.liquidscheduler.simulator.SimulationResult}.
 */
@NullMarked
package io.github.liquidscheduler.simulator;

import org.jspecify.annotations.NullMarked;
