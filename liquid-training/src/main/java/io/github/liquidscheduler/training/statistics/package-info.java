/** Figures of samples: {@link io.github.liquidscheduler.training.statistics.Sample}. */
@NullMarked
package io.github.liquidscheduler.training.statistics;

import org.jspecify.annotations.NullMarked;
