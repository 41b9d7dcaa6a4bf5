package io.github.liquidscheduler.elastic.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.ledger.PartitionLedger;
import io.github.liquidscheduler.elastic.protocol.ToWorker.LedgerUpdate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerTest {
  private static final WorkerId ANN = WorkerId.of("ann");
  private static final TopologyEpoch ALONE = new TopologyEpoch(1, List.of(ANN), ANN, List.of());

  private final Worker worker = new Worker(ANN);

  @Test
  void aFormerLeaderChangesNothing() {
    worker.on(proceed(2, ALONE, 1));

    assertThat(worker.on(proceed(1, ALONE, 2))).isEmpty();
  }

  @Test
  void aLeaderThatWasNeverHeardCountsFromWhenItCanBeReached() {
    worker.connected(2);

    assertThat(worker.on(proceed(1, ALONE, 1))).isEmpty();
  }

  @Test
  void whatComesTwiceIsDoneOnce() {
    worker.on(proceed(1, ALONE, 1));

    assertThat(worker.on(proceed(1, ALONE, 1))).isEmpty();
  }

  @Test
  void aReportedMiniBatchCountsWhenTheNextBegins() {
    worker.on(proceed(1, ALONE, 1));
    worker.batchEnd(1, 1, Duration.ZERO);

    assertThat(worker.on(proceed(1, ALONE, 2)))
        .singleElement()
        .isInstanceOfSatisfying(
            WorkerOutput.Run.class, run -> assertThat(run.committed()).isTrue());
  }

  @Test
  void aMiniBatchThatIsRepeatedInAnotherTopologyDoesNotCount() {
    worker.on(proceed(1, ALONE, 1));
    worker.batchEnd(1, 1, Duration.ZERO);

    assertThat(worker.on(proceed(1, new TopologyEpoch(2, List.of(ANN), null, List.of()), 1)))
        .singleElement()
        .isInstanceOfSatisfying(
            WorkerOutput.Run.class, run -> assertThat(run.committed()).isFalse());
  }

  @Test
  void reportsAboutAnotherMiniBatchAreIgnored() {
    worker.on(proceed(1, ALONE, 1));

    assertThat(worker.batchEnd(1, 2, Duration.ZERO)).isEmpty();
    assertThat(worker.batchEnd(2, 1, Duration.ZERO)).isEmpty();
  }

  @Test
  void aNewLeaderHearsTheOpenReportAgain() {
    worker.on(proceed(1, ALONE, 1));
    List<WorkerOutput> report = worker.batchEnd(1, 1, Duration.ZERO);

    assertThat(worker.connected(2)).containsAll(report).hasSize(2);
  }

  private static ToWorker.Proceed proceed(long term, TopologyEpoch topology, long step) {
    PartitionLedger ledger = PartitionLedger.of(new Partitioning(100, 10, 2, 0));
    ledger.refill(ANN, 2);
    return new ToWorker.Proceed(term, topology, step, new LedgerUpdate.Full(ledger.snapshot()));
  }
}
