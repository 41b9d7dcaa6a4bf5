/**
 * Which data sets to bring to which nodes, and which to bring no longer. The entry is {@link
 * io.github.liquidscheduler.scheduler.transfer.PrefetchStage}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.transfer;

import org.jspecify.annotations.NullMarked;
