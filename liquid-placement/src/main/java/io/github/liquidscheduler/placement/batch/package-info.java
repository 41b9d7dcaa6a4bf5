/** Batch mode: plans for many waiting jobs together, and how far from optimal they can be. */
@NullMarked
package io.github.liquidscheduler.placement.batch;

import org.jspecify.annotations.NullMarked;
