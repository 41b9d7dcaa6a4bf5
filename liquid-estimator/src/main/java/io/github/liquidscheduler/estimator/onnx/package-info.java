/**
 * Models as ONNX files: writing one ({@link io.github.liquidscheduler.estimator.onnx.OnnxGraph}),
 * loading one only if it is what was expected ({@link
 * io.github.liquidscheduler.estimator.onnx.ModelFile}), and scoring many rows in one call without
 * garbage ({@link io.github.liquidscheduler.estimator.onnx.BatchScorer}).
 */
@NullMarked
package io.github.liquidscheduler.estimator.onnx;

import org.jspecify.annotations.NullMarked;
