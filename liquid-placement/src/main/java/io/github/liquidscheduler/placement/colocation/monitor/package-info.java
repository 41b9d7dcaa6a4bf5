/**
 * What co-located jobs report, what is learned from it, and who has to be separated. The entry is
 * {@link io.github.liquidscheduler.placement.colocation.monitor.ColocationMonitor}.
 */
@NullMarked
package io.github.liquidscheduler.placement.colocation.monitor;

import org.jspecify.annotations.NullMarked;
