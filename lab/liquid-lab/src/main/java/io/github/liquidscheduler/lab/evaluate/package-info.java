/**
 * Evaluation of models on held-out measurements: {@link
 * io.github.liquidscheduler.lab.evaluate.EvaluateCommand}.
 */
@NullMarked
package io.github.liquidscheduler.lab.evaluate;

import org.jspecify.annotations.NullMarked;
