/**
 * Small neural networks trained on one core, the same to the last bit for the same seed: parameters
 * under Adam ({@link io.github.liquidscheduler.training.neural.Parameters}), perceptrons ({@link
 * io.github.liquidscheduler.training.neural.Perceptron}), and the loop that feeds them ({@link
 * io.github.liquidscheduler.training.neural.TrainingPlan}).
 */
@NullMarked
package io.github.liquidscheduler.training.neural;

import org.jspecify.annotations.NullMarked;
