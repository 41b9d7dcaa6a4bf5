/**
 * How to extend Liquid: a {@link io.github.liquidscheduler.examples.extensions.ProductionFirst
 * policy}, a placer, a cost model, a predictor, a rule for shared GPUs and a batch planner.
 */
@NullMarked
package io.github.liquidscheduler.examples.extensions;

import org.jspecify.annotations.NullMarked;
