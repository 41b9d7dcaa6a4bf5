/**
 * The trained model of resource needs ({@link
 * io.github.liquidscheduler.estimator.task.regression.ResourceModel}), its columns and its
 * calibration.
 */
@NullMarked
package io.github.liquidscheduler.estimator.task.regression;

import org.jspecify.annotations.NullMarked;
