/**
 * Places many jobs together: {@link io.github.liquidscheduler.placement.batch.BatchPlanner}, made
 * by {@link io.github.liquidscheduler.placement.batch.BatchPlanners}. Every plan carries a
 * certificate that says how far from the best plan it can be at most.
 */
@NullMarked
package io.github.liquidscheduler.placement.batch;

import org.jspecify.annotations.NullMarked;
