/**
 * Writes fitted throughput models as a file: {@link
 * io.github.liquidscheduler.training.throughput.ThroughputFile}.
 */
@NullMarked
package io.github.liquidscheduler.training.throughput;

import org.jspecify.annotations.NullMarked;
