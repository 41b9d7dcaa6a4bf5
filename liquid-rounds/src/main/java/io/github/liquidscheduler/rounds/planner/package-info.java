/**
 * Plans for jobs that train in rounds: which task of which round runs when on which GPU (Hare,
 * HPDC'22). A round's tasks may start at different times, on any GPUs, also one after another on
 * the same; the next round begins when all have trained and synchronized. Pure functions; times are
 * in seconds.
 */
@NullMarked
package io.github.liquidscheduler.rounds.planner;

import org.jspecify.annotations.NullMarked;
