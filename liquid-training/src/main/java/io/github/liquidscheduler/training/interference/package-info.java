/**
 * Trains and evaluates the interference model (IAPP): {@link
 * io.github.liquidscheduler.training.interference.InterferenceTrainer} and {@link
 * io.github.liquidscheduler.training.interference.InterferenceEvaluation}.
 */
@NullMarked
package io.github.liquidscheduler.training.interference;

import org.jspecify.annotations.NullMarked;
