/**
 * Trains and evaluates the similarity model (IASP): {@link
 * io.github.liquidscheduler.training.similarity.SimilarityTrainer} and {@link
 * io.github.liquidscheduler.training.similarity.SimilarityEvaluation}.
 */
@NullMarked
package io.github.liquidscheduler.training.similarity;

import org.jspecify.annotations.NullMarked;
