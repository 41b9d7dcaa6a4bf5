/**
 * Placers of common schedulers to compare with: {@link
 * io.github.liquidscheduler.simulator.baseline.SimplePlacers}.
 */
@NullMarked
package io.github.liquidscheduler.simulator.baseline;

import org.jspecify.annotations.NullMarked;
