/**
 * What it costs to switch a GPU from the task of one job to that of another, and plans that pay for
 * it: {@link io.github.liquidscheduler.rounds.planner.switching.SwitchingExecution}. Pure
 * functions.
 */
@NullMarked
package io.github.liquidscheduler.rounds.planner.switching;

import org.jspecify.annotations.NullMarked;
