package io.github.liquidscheduler.elastic.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.ledger.PartitionLedger;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobProgressTest {
  private static final WorkerId ANN = WorkerId.of("ann");
  private static final WorkerId BOB = WorkerId.of("bob");

  @Test
  void whoIsLostHasReadItsOpenMiniBatchAtMost() {
    JobProgress job = oneMiniBatchAnEpoch(2);

    job.goOnWith(List.of(ANN));

    assertThat(job.ledger().mayBeSeenTwice()).extracting(SampleRange::epoch).containsExactly(0);
  }

  @Test
  void whoWasLostWithTheLeaderMayHaveBegunTheNextEpoch() {
    JobProgress job = oneMiniBatchAnEpoch(2);

    job.mayHaveProceeded(List.of(BOB));
    job.goOnWith(List.of(ANN));

    assertThat(job.ledger().mayBeSeenTwice())
        .extracting(SampleRange::epoch)
        .containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void afterTheLastEpochNobodyReadsOn() {
    JobProgress job = oneMiniBatchAnEpoch(1);

    job.mayHaveProceeded(List.of(BOB));

    assertThat(job.ledger().mayBeSeenTwice()).isEmpty();
  }

  /** Two workers that read one sample each, which is all there is. */
  private static JobProgress oneMiniBatchAnEpoch(int epochs) {
    JobProgress job = new JobProgress(PartitionLedger.of(new Partitioning(2, 2, 1, 7)), 1, epochs);
    job.switchTo(List.of(ANN));
    job.switchTo(List.of(ANN, BOB));
    return job;
  }
}
