/** The terms of a plan's cost: {@link io.github.liquidscheduler.planner.cost.CostTerms}. */
@NullMarked
package io.github.liquidscheduler.planner.cost;

import org.jspecify.annotations.NullMarked;
