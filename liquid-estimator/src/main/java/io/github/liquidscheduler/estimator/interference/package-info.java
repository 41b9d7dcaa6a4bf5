/**
 * The speed of a job beside others on a GPU (IAPP): {@link
 * io.github.liquidscheduler.estimator.interference.CompositePredictor} blends what was measured,
 * what was learned and what utilisation suggests.
 */
@NullMarked
package io.github.liquidscheduler.estimator.interference;

import org.jspecify.annotations.NullMarked;
