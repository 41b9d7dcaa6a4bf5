/**
 * What is free in the future: who holds what until when, when and where a gang can start at the
 * earliest, and which reservations waiting jobs have. {@link
 * io.github.liquidscheduler.placement.timeline.Timeline} is the availability profile, {@link
 * io.github.liquidscheduler.placement.timeline.BackfillSchedule} decides with it by EASY or
 * conservative backfill.
 *
 * <p>Times are whole numbers of one unit of the caller's choice, such as seconds, from an origin of
 * the caller's choice. Nothing here reads a clock.
 */
@NullMarked
package io.github.liquidscheduler.placement.timeline;

import org.jspecify.annotations.NullMarked;
