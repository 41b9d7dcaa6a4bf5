/** Batch planning on generated instances: what a plan costs after how much time. */
@NullMarked
package io.github.liquidscheduler.benchmarks.batch;

import org.jspecify.annotations.NullMarked;
