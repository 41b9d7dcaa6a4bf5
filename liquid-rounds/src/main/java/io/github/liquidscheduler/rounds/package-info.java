/**
 * Jobs that train in rounds of tasks (Hare, HPDC'22), each task on one GPU: what happens to them
 * ({@link io.github.liquidscheduler.rounds.RoundEvent}), what shall be done ({@link
 * io.github.liquidscheduler.rounds.RoundDecision}), and plans that fix the order of tasks on each
 * GPU ({@link io.github.liquidscheduler.rounds.GpuSequencePlan}).
 */
@NullMarked
package io.github.liquidscheduler.rounds;

import org.jspecify.annotations.NullMarked;
