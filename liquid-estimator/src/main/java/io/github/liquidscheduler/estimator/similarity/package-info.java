/**
 * What classes of workloads do to each other on a GPU, completed from a sparse table of observed
 * pairs (IASP): {@link io.github.liquidscheduler.estimator.similarity.NeuralSimilarity}.
 */
@NullMarked
package io.github.liquidscheduler.estimator.similarity;

import org.jspecify.annotations.NullMarked;
