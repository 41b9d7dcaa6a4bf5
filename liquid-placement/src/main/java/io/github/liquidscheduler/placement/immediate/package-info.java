/**
 * Placing one job at once: {@link io.github.liquidscheduler.placement.immediate.GangPlacer} walks
 * the index of free capacity from single nodes up to the widest level that the job allows.
 */
@NullMarked
package io.github.liquidscheduler.placement.immediate;

import org.jspecify.annotations.NullMarked;
