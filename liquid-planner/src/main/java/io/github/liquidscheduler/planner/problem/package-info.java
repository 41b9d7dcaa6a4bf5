/**
 * A batch as arrays: jobs, free GPUs, and what assignments cost. The entry is {@link
 * io.github.liquidscheduler.planner.problem.Problem}.
 */
@NullMarked
package io.github.liquidscheduler.planner.problem;

import org.jspecify.annotations.NullMarked;
