/** How fast interference is predicted. */
@NullMarked
package io.github.liquidscheduler.benchmarks.interference;

import org.jspecify.annotations.NullMarked;
