/** Batch plans side by side with an exact solver. */
@NullMarked
package io.github.liquidscheduler.benchmarks.batch;

import org.jspecify.annotations.NullMarked;
