/**
 * One turn of the scheduler: the consequences of one event, stage by stage. The entry is {@link
 * io.github.liquidscheduler.scheduler.turn.Turn}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.turn;

import org.jspecify.annotations.NullMarked;
