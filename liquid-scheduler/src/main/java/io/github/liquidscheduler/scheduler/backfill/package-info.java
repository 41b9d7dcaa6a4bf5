/**
 * Backfill: the first waiting jobs hold reservations on the timeline of expected ends, and others
 * start where they delay none. {@link io.github.liquidscheduler.scheduler.backfill.BackfillPlan} is
 * the state kept between events.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.backfill;

import org.jspecify.annotations.NullMarked;
