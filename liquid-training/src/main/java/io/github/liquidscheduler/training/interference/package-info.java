/**
 * Trains the interference model (IAPP): {@link
 * io.github.liquidscheduler.training.interference.InterferenceTrainer}.
 */
@NullMarked
package io.github.liquidscheduler.training.interference;

import org.jspecify.annotations.NullMarked;
