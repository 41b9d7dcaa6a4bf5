/**
 * Trains models of resource needs: {@link
 * io.github.liquidscheduler.training.resource.ResourceTrainer} makes an ONNX file from samples,
 * {@link io.github.liquidscheduler.training.resource.PublicResourceData} converts public data sets.
 */
@NullMarked
package io.github.liquidscheduler.training.resource;

import org.jspecify.annotations.NullMarked;
