/**
 * Independent books of the jobs' GPUs: {@link
 * io.github.liquidscheduler.simulator.ledger.ClusterLedger}.
 */
@NullMarked
package io.github.liquidscheduler.simulator.ledger;

import org.jspecify.annotations.NullMarked;
