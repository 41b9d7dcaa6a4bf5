/**
 * Why a job waits and what would let it run: {@link
 * io.github.liquidscheduler.placement.explain.Explainer}.
 */
@NullMarked
package io.github.liquidscheduler.placement.explain;

import org.jspecify.annotations.NullMarked;
