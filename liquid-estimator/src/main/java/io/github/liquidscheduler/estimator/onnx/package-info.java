/**
 * ONNX files: the entry is {@link io.github.liquidscheduler.estimator.onnx.ModelFile}, which loads
 * one and checks it against what its user expects.
 */
@NullMarked
package io.github.liquidscheduler.estimator.onnx;

import org.jspecify.annotations.NullMarked;
