package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.task.regression.Calibration;
import io.github.liquidscheduler.training.tree.Regression;

/** One regression of a model, with its analytic prior, calibrated on data held out. */
record FittedTarget(Regression regression, Calibration calibration, String learner) {}
