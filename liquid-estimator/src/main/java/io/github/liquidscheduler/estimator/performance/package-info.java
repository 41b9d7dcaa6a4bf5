/**
 * Throughput of jobs at sizes that they have not had: models of an iteration's time, fitted to what
 * was measured ({@link io.github.liquidscheduler.estimator.performance.ThroughputFit}) or read from
 * a file. Embedders enter by {@link io.github.liquidscheduler.estimator.duration.ObservedSpeeds}.
 */
@NullMarked
package io.github.liquidscheduler.estimator.performance;

import org.jspecify.annotations.NullMarked;
