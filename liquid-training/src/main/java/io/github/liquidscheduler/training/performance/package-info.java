/**
 * Writes fitted throughput models as a file: {@link
 * io.github.liquidscheduler.training.performance.ThroughputFile}.
 */
@NullMarked
package io.github.liquidscheduler.training.performance;

import org.jspecify.annotations.NullMarked;
