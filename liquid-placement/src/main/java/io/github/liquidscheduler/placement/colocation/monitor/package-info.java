/**
 * Evaluation of reports of co-located jobs: learning and separation. The entry is {@link
 * io.github.liquidscheduler.placement.colocation.monitor.ColocationMonitor}.
 */
@NullMarked
package io.github.liquidscheduler.placement.colocation.monitor;

import org.jspecify.annotations.NullMarked;
