/**
 * Predictions for a scheduler: how much a job needs, how jobs that share a GPU slow each other
 * down, how fast a job runs where. Every answer is a {@link
 * io.github.liquidscheduler.prediction.Prediction} that says how sure it is and where it comes
 * from; every predictor learns from what is observed.
 */
@NullMarked
package io.github.liquidscheduler.prediction;

import org.jspecify.annotations.NullMarked;
