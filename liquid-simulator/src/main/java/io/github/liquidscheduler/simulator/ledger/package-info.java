/**
 * The simulator's own books of who holds what, apart from the scheduler's: {@link
 * io.github.liquidscheduler.simulator.ledger.ClusterLedger}.
 */
@NullMarked
package io.github.liquidscheduler.simulator.ledger;

import org.jspecify.annotations.NullMarked;
