/**
 * Results of simulations for machines: {@link
 * io.github.liquidscheduler.simulator.output.ResultJson} sums a run up, {@link
 * io.github.liquidscheduler.simulator.output.ResultCsv} has a line for each job.
 */
@NullMarked
package io.github.liquidscheduler.simulator.output;

import org.jspecify.annotations.NullMarked;
