package io.github.liquidscheduler.elastic.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** Each sample is read once per epoch, whoever joins, leaves or crashes. */
class PartitionLedgerLaws {
  private static final int EPOCHS = 2;
  private static final int SHARDS = 2;

  private static final List<WorkerId> WORKERS =
      IntStream.range(0, 5).mapToObj(number -> WorkerId.of("worker-" + number)).toList();

  @Property(tries = 2000, shrinking = ShrinkingMode.OFF)
  void eachSampleIsReadOnceUnlessACrashedWorkerHadIt(
      @ForAll @IntRange(min = 1, max = 120) int samples, @ForAll long seed) {
    History history = new History(samples, new Random(seed));

    history.play();

    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      history.checkReads(epoch);
    }
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void aCopyThatHearsOfEachChangeIsEqual(
      @ForAll @IntRange(min = 1, max = 120) int samples, @ForAll long seed) {
    History history = new History(samples, new Random(seed));
    PartitionLedger copy = PartitionLedger.restore(history.ledger.snapshot());

    while (history.turn()) {
      copy.apply(history.ledger.takeChanges());
      assertThat(copy.snapshot().states()).isEqualTo(history.ledger.snapshot().states());
    }
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void aRestoredLedgerGoesOnInTheSameWay(
      @ForAll @IntRange(min = 1, max = 120) int samples, @ForAll long seed) {
    History history = new History(samples, new Random(seed));
    for (int turns = 0; turns < 20; turns++) {
      history.turn();
    }
    PartitionLedger restored = PartitionLedger.restore(history.ledger.snapshot());

    for (WorkerId worker : WORKERS) {
      assertThat(restored.refill(worker, SHARDS)).isEqualTo(history.ledger.refill(worker, SHARDS));
    }
  }

  /** Workers that read, report, leave and crash at random. */
  private static final class History {
    private final Random random;
    private final Partitioning partitioning;
    private final PartitionLedger ledger;
    private final List<int[]> reads = new ArrayList<>();

    History(int samples, Random random) {
      this.random = random;
      int partitions = 1 + random.nextInt(samples);
      partitioning =
          new Partitioning(samples, partitions, 1 + random.nextInt(7), random.nextLong());
      ledger = PartitionLedger.of(partitioning);
      IntStream.range(0, EPOCHS).forEach(epoch -> reads.add(new int[samples]));
    }

    void play() {
      while (turn()) {
        // The history is what turns leave behind.
      }
    }

    /** Returns whether there is something left to do. */
    boolean turn() {
      WorkerId worker = WORKERS.get(random.nextInt(WORKERS.size()));
      switch (random.nextInt(20)) {
        case 0 -> ledger.leave(worker);
        case 1 -> crash(worker);
        default -> readBatch(worker);
      }
      if (!ledger.isEpochDone()) {
        return true;
      }
      if (ledger.epoch() + 1 == EPOCHS) {
        return false;
      }
      ledger.nextEpoch();
      return true;
    }

    private void crash(WorkerId worker) {
      if (random.nextBoolean()) {
        ledger.shardsOf(worker).stream().findFirst().ifPresent(this::read);
      }
      ledger.crash(worker);
    }

    private void readBatch(WorkerId worker) {
      ledger.refill(worker, SHARDS).stream()
          .findFirst()
          .ifPresent(
              shard -> {
                read(shard);
                PartitionProgress progress =
                    new PartitionProgress(
                        ledger.epoch(),
                        shard.partition(),
                        shard.endOfBatch(partitioning.batchSize()));
                ledger.report(worker, progress);
                ledger.report(worker, progress);
              });
    }

    private void read(Shard shard) {
      long start = partitioning.start(shard.partition());
      for (long at = shard.offset(); at < shard.endOfBatch(partitioning.batchSize()); at++) {
        reads.get(ledger.epoch())[(int) (start + at)]++;
      }
    }

    void checkReads(int epoch) {
      int[] extra = new int[(int) partitioning.samples()];
      for (SampleRange range : ledger.mayBeSeenTwice()) {
        for (long sample = range.from(); range.epoch() == epoch && sample < range.to(); sample++) {
          extra[(int) sample]++;
        }
      }
      for (int sample = 0; sample < extra.length; sample++) {
        assertThat(reads.get(epoch)[sample])
            .as("reads of sample %d in epoch %d", sample, epoch)
            .isBetween(1, 1 + extra[sample]);
      }
    }
  }
}
