/**
 * Plans in which jobs share GPUs. The entry is {@link
 * io.github.liquidscheduler.planner.colocation.ColocationPlanner}.
 */
@NullMarked
package io.github.liquidscheduler.planner.colocation;

import org.jspecify.annotations.NullMarked;
