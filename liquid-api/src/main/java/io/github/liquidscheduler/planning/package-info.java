/**
 * Planning many jobs together: {@link io.github.liquidscheduler.planning.BatchPlanner} answers a
 * {@link io.github.liquidscheduler.planning.PlanRequest} with a {@link
 * io.github.liquidscheduler.planning.BatchPlan}.
 */
@NullMarked
package io.github.liquidscheduler.planning;

import org.jspecify.annotations.NullMarked;
