/**
 * Backfill: the first waiting jobs hold reservations on the timeline of expected ends, and others
 * start where they are in the way of none. {@link
 * io.github.liquidscheduler.scheduler.backfill.BackfillPlan} is what lasts from one event to the
 * next.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.backfill;

import org.jspecify.annotations.NullMarked;
