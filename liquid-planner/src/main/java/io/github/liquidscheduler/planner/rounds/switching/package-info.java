/**
 * What it costs to switch a GPU from the task of one job to that of another, and plans that pay for
 * it: {@link io.github.liquidscheduler.planner.rounds.switching.SwitchingExecution}. Pure
 * functions.
 */
@NullMarked
package io.github.liquidscheduler.planner.rounds.switching;

import org.jspecify.annotations.NullMarked;
