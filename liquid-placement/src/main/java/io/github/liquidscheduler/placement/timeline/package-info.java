/**
 * Free capacity in the future: holdings until their end, the earliest start of a gang, and the
 * reservations of waiting jobs. {@link io.github.liquidscheduler.placement.timeline.Timeline} is
 * the availability profile, {@link io.github.liquidscheduler.placement.timeline.BackfillSchedule}
 * keeps and repairs the reservations of EASY to conservative backfill.
 *
 * <p>Times are whole numbers of one unit of the caller's choice, such as seconds, from an origin of
 * the caller's choice. Nothing here reads a clock.
 */
@NullMarked
package io.github.liquidscheduler.placement.timeline;

import org.jspecify.annotations.NullMarked;
