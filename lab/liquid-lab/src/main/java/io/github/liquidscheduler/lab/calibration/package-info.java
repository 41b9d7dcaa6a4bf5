/**
 * Fits what a network really gives from measured iterations, and says how well the fit predicts
 * applications that it never saw: {@link io.github.liquidscheduler.lab.calibration.NetworkFit}
 * fits, {@link io.github.liquidscheduler.lab.calibration.AccuracyReport} says how well.
 */
@NullMarked
package io.github.liquidscheduler.lab.calibration;

import org.jspecify.annotations.NullMarked;
