/**
 * Regression learners behind one interface, {@link
 * io.github.liquidscheduler.training.tree.RegressionLearner}: trees, forests and boosted trees of
 * XGBoost, ridge regression on ojAlgo, a constant. What they learn can be written as ONNX.
 */
@NullMarked
package io.github.liquidscheduler.training.tree;

import org.jspecify.annotations.NullMarked;
