/**
 * Fair division of a resource among siblings: {@link
 * io.github.liquidscheduler.scheduler.share.FairDivision}. Pure functions.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.share;

import org.jspecify.annotations.NullMarked;
