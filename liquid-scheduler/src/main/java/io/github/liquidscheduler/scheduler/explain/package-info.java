/**
 * Explanations: why a job waits and what would let it start. The entry is {@link
 * io.github.liquidscheduler.scheduler.explain.Explainer}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.explain;

import org.jspecify.annotations.NullMarked;
