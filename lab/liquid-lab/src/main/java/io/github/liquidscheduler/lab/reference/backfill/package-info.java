/**
 * A reference simulation of backfill: first in, first out, with and without bypass, EASY and
 * conservative, on a number of GPUs, on nodes or on nodes in racks. Its numbers are to be met by
 * whoever follows the same rules. {@link
 * io.github.liquidscheduler.lab.reference.backfill.BackfillSimulator} is the entry.
 */
@NullMarked
package io.github.liquidscheduler.lab.reference.backfill;

import org.jspecify.annotations.NullMarked;
