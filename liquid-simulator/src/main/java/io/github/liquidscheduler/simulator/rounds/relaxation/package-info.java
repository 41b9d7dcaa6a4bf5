/**
 * The order of rounds by a linear program. It lives beside the planner and not in it, so that who
 * embeds plans needs no library for linear programs: the order by work is as good on average.
 */
@NullMarked
package io.github.liquidscheduler.simulator.rounds.relaxation;

import org.jspecify.annotations.NullMarked;
