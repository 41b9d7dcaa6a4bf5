/**
 * Trains the similarity model (IASP): {@link
 * io.github.liquidscheduler.training.similarity.SimilarityTrainer}.
 */
@NullMarked
package io.github.liquidscheduler.training.similarity;

import org.jspecify.annotations.NullMarked;
