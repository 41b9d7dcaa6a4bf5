/**
 * Co-location of jobs on one GPU: when, with whom, and what is learned from it. The entry is {@link
 * io.github.liquidscheduler.placement.colocation.ColocationPlacer}.
 */
@NullMarked
package io.github.liquidscheduler.placement.colocation;

import org.jspecify.annotations.NullMarked;
