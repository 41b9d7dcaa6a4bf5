/**
 * Lower bounds on the cost of any plan. The entry is {@link
 * io.github.liquidscheduler.planner.bound.LowerBound}.
 */
@NullMarked
package io.github.liquidscheduler.planner.bound;

import org.jspecify.annotations.NullMarked;
