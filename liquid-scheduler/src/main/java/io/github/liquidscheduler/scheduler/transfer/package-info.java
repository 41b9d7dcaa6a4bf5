/**
 * Data set transfers: which to begin and which to cancel. The entry is {@link
 * io.github.liquidscheduler.scheduler.transfer.PrefetchStage}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.transfer;

import org.jspecify.annotations.NullMarked;
