/** What a plan is charged for: {@link io.github.liquidscheduler.planner.cost.PlanCost}. */
@NullMarked
package io.github.liquidscheduler.planner.cost;

import org.jspecify.annotations.NullMarked;
