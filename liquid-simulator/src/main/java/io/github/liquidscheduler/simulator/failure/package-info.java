/**
 * Failures in a simulated cluster: a {@link
 * io.github.liquidscheduler.simulator.failure.FailureScript} lists them, {@link
 * io.github.liquidscheduler.simulator.failure.RandomFailures} draws it from a seed.
 */
@NullMarked
package io.github.liquidscheduler.simulator.failure;

import org.jspecify.annotations.NullMarked;
