package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.task.regression.Calibration;
import io.github.liquidscheduler.training.tree.Regression;

/**
 * One regression of a model, chosen and calibrated.
 *
 * @param regression what was learned, including the analytic prior
 * @param calibration its errors on data held out
 * @param learner what learned it
 */
record FittedTarget(Regression regression, Calibration calibration, String learner) {}
