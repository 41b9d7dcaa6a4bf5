/** Writes ONNX files. The entry is {@link io.github.liquidscheduler.training.onnx.OnnxGraph}. */
@NullMarked
package io.github.liquidscheduler.training.onnx;

import org.jspecify.annotations.NullMarked;
