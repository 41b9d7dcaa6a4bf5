/**
 * What every placer, policy, predictor and planner promises, as tests that embedders run on their
 * own: extend {@link io.github.liquidscheduler.testkit.PlacerContract} or one of its sisters. The
 * judges keep books of their own, from topology, events and decisions alone: {@link
 * io.github.liquidscheduler.testkit.PlainCluster} and {@link
 * io.github.liquidscheduler.testkit.Ledger}.
 */
@NullMarked
package io.github.liquidscheduler.testkit;

import org.jspecify.annotations.NullMarked;
