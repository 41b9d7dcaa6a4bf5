/**
 * The interference of classes of workloads on a GPU, completed from a sparse table of observed
 * pairs (IASP): {@link io.github.liquidscheduler.estimator.similarity.NeuralSimilarity}.
 */
@NullMarked
package io.github.liquidscheduler.estimator.similarity;

import org.jspecify.annotations.NullMarked;
