/**
 * The contracts of placers, policies, predictors and planners, as tests that embedders run on their
 * own: extend {@link io.github.liquidscheduler.testkit.PlacerContract}, {@link
 * io.github.liquidscheduler.testkit.SchedulingPolicyContract}, {@link
 * io.github.liquidscheduler.testkit.InterferencePredictorContract} or {@link
 * io.github.liquidscheduler.testkit.BatchPlannerContract}. The judges keep books of their own, from
 * topology, events and decisions alone: {@link io.github.liquidscheduler.testkit.PlainCluster},
 * {@link io.github.liquidscheduler.testkit.Ledger} and, where jobs take time to stop, {@link
 * io.github.liquidscheduler.testkit.PresenceLedger}.
 */
@NullMarked
package io.github.liquidscheduler.testkit;

import org.jspecify.annotations.NullMarked;
