/** What one event costs a scheduler on which many jobs wait. */
@NullMarked
package io.github.liquidscheduler.benchmarks.events;

import org.jspecify.annotations.NullMarked;
