package io.github.liquidscheduler.elastic.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.WorkerId;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionLedgerTest {
  private static final WorkerId ANN = WorkerId.of("ann");
  private static final WorkerId BOB = WorkerId.of("bob");

  private final Partitioning partitioning = new Partitioning(30, 3, 4, 7);
  private final PartitionLedger ledger = PartitionLedger.of(partitioning);

  @Test
  void partitionsAreGivenInTheOrderOfTheEpoch() {
    assertThat(ledger.refill(ANN, 3)).extracting(Shard::partition).isEqualTo(partitioning.order(0));
  }

  @Test
  void aWorkerThatHasEnoughIsGivenNoMore() {
    List<Shard> two = ledger.refill(ANN, 2);

    assertThat(ledger.refill(ANN, 2)).isEqualTo(two).hasSize(2);
  }

  @Test
  void whatALeavingWorkerHasNotReadIsGivenFirst() {
    Shard shard = ledger.next(ANN).orElseThrow();
    ledger.report(ANN, new PartitionProgress(0, shard.partition(), 4));
    ledger.leave(ANN);

    Shard remainder = ledger.next(BOB).orElseThrow();

    assertThat(remainder.partition()).isEqualTo(shard.partition());
    assertThat(remainder.offset()).isEqualTo(4);
    assertThat(ledger.mayBeSeenTwice()).isEmpty();
  }

  @Test
  void ofACrashedWorkerOneMiniBatchMayBeSeenTwice() {
    List<Shard> shards = ledger.refill(ANN, 2);
    int partition = shards.getFirst().partition();
    ledger.report(ANN, new PartitionProgress(0, partition, 4));

    ledger.crash(ANN);

    long start = partitioning.start(partition);
    assertThat(ledger.mayBeSeenTwice()).containsExactly(new SampleRange(0, start + 4, start + 8));
  }

  @Test
  void theLastMiniBatchOfAPartitionMayBeShort() {
    Shard shard = ledger.next(ANN).orElseThrow();
    ledger.report(ANN, new PartitionProgress(0, shard.partition(), 8));

    ledger.crash(ANN);

    assertThat(ledger.mayBeSeenTwice()).extracting(SampleRange::size).containsExactly(2L);
  }

  @Test
  void lateForeignAndOldReportsChangeNothing() {
    Shard shard = ledger.next(ANN).orElseThrow();
    ledger.report(ANN, new PartitionProgress(0, shard.partition(), 8));
    LedgerSnapshot before = ledger.snapshot();

    ledger.report(ANN, new PartitionProgress(0, shard.partition(), 4));
    ledger.report(BOB, new PartitionProgress(0, shard.partition(), 10));
    ledger.report(ANN, new PartitionProgress(1, shard.partition(), 10));
    ledger.report(ANN, new PartitionProgress(0, 99, 10));

    assertThat(ledger.snapshot()).isEqualTo(before);
  }

  @Test
  void anEpochEndsWhenAllIsReadAndTheNextHasAnotherOrder() {
    readAll(ANN);

    assertThat(ledger.isEpochDone()).isTrue();
    ledger.nextEpoch();

    assertThat(ledger.epoch()).isEqualTo(1);
    assertThat(ledger.refill(ANN, 3)).extracting(Shard::partition).isEqualTo(partitioning.order(1));
  }

  @Test
  void anEpochWithSamplesLeftIsNotEnded() {
    assertThatThrownBy(ledger::nextEpoch)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Epoch 0 has samples left to read");
  }

  @Test
  void aPartitionForEach256MibOrSixteenForEachWorker() {
    assertThat(Partitioning.defaultPartitions(8, 1L << 30)).isEqualTo(128);
    assertThat(Partitioning.defaultPartitions(1, (100L << 30) + 1)).isEqualTo(401);
  }

  @Test
  void moreOrFewerPartitionsThanSamplesAreRefusedByName() {
    assertThatThrownBy(() -> new Partitioning(3, 4, 1, 0))
        .hasMessage("partitions must be at most the samples, 3, but was 4");
    assertThatThrownBy(() -> new Partitioning(3, 1, 0, 0))
        .hasMessage("batchSize must be at least 1, but was 0");
  }

  private void readAll(WorkerId worker) {
    while (!ledger.refill(worker, 1).isEmpty()) {
      Shard shard = ledger.shardsOf(worker).getFirst();
      ledger.report(worker, new PartitionProgress(0, shard.partition(), shard.length()));
    }
  }
}
