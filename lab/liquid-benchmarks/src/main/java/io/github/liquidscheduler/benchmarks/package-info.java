/**
 * Schedulers timed side by side on the same tasks; {@link
 * io.github.liquidscheduler.benchmarks.SideBySide} prints the table. Another scheduler takes part
 * as a {@link io.github.liquidscheduler.benchmarks.Baseline}.
 */
@NullMarked
package io.github.liquidscheduler.benchmarks;

import org.jspecify.annotations.NullMarked;
