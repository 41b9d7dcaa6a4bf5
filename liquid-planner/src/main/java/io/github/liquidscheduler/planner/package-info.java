/**
 * Plans many jobs together. The entry is {@link io.github.liquidscheduler.planner.BatchPlanners}.
 */
@NullMarked
package io.github.liquidscheduler.planner;

import org.jspecify.annotations.NullMarked;
