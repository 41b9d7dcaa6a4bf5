/**
 * Machine-readable results of simulations: {@link
 * io.github.liquidscheduler.simulator.output.ResultJson} sums a run up, {@link
 * io.github.liquidscheduler.simulator.output.ResultCsv} has a line per job.
 */
@NullMarked
package io.github.liquidscheduler.simulator.output;

import org.jspecify.annotations.NullMarked;
