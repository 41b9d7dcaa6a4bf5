/**
 * Placement by fragmentation gradient descent; {@link
 * io.github.liquidscheduler.placement.fragmentation.LeastFragmentationPlacer} places.
 */
@NullMarked
package io.github.liquidscheduler.placement.fragmentation;

import org.jspecify.annotations.NullMarked;
