/** How fast the needs of tasks are predicted. */
@NullMarked
package io.github.liquidscheduler.benchmarks.resource;

import org.jspecify.annotations.NullMarked;
