/**
 * Placement of jobs: {@link io.github.liquidscheduler.placement.Placers} makes the placers of the
 * library.
 */
@NullMarked
package io.github.liquidscheduler.placement;

import org.jspecify.annotations.NullMarked;
