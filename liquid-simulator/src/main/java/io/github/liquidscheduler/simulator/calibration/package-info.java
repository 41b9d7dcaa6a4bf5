/**
 * Fits what a network really gives from measured iterations, and says how well the fit predicts
 * applications that it never saw: {@link
 * io.github.liquidscheduler.simulator.calibration.NetworkFit} fits, {@link
 * io.github.liquidscheduler.simulator.calibration.AccuracyReport} says how well.
 */
@NullMarked
package io.github.liquidscheduler.simulator.calibration;

import org.jspecify.annotations.NullMarked;
