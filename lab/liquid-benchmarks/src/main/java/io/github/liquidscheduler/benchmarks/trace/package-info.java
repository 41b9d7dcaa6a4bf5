/** Makes long traces, to time simulations with; see {@link LongTrace}. */
@NullMarked
package io.github.liquidscheduler.benchmarks.trace;

import org.jspecify.annotations.NullMarked;
