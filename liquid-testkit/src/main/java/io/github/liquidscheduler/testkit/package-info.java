/**
 * The contracts of placers, policies, predictors and planners, as tests that embedders run on their
 * own: extend {@link io.github.liquidscheduler.testkit.PlacerContract}, {@link
 * io.github.liquidscheduler.testkit.SchedulingPolicyContract}, {@link
 * io.github.liquidscheduler.testkit.InterferencePredictorContract} or {@link
 * io.github.liquidscheduler.testkit.BatchPlannerContract}. The judges keep books of their own, from
 * topology, events and decisions alone: {@link io.github.liquidscheduler.testkit.PlainCluster} and
 * {@link io.github.liquidscheduler.testkit.Ledger}.
 */
@NullMarked
package io.github.liquidscheduler.testkit;

import org.jspecify.annotations.NullMarked;
