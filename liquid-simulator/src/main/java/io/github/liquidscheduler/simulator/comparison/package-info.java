/** Policies compared on draws from one trace: figures, means with intervals, differences. */
@NullMarked
package io.github.liquidscheduler.simulator.comparison;

import org.jspecify.annotations.NullMarked;
