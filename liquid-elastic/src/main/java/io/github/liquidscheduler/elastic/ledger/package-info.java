/**
 * The dynamic data pipeline: {@link io.github.liquidscheduler.elastic.ledger.PartitionLedger} knows
 * which worker reads which partition and how far it got, so that an epoch reads each sample once
 * although workers join, leave or crash.
 */
@NullMarked
package io.github.liquidscheduler.elastic.ledger;

import org.jspecify.annotations.NullMarked;
