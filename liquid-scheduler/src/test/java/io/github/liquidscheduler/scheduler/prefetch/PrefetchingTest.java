package io.github.liquidscheduler.scheduler.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrefetchingTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final NodeId NODE = NodeId.of("node-0");

  /** Ten seconds over the path. */
  private static final Dataset CLICKS = new Dataset("clicks", Memory.ofBytes(10_000_000_000L));

  private static final DataLocality EMPTY =
      DataLocality.builder().room(NODE, Memory.ofGib(100)).build();

  private final Prefetching rules = Prefetching.over(Bandwidth.ofGigabytesPerSecond(1)).build();
  private final LiquidScheduler scheduler =
      LiquidScheduler.builder(
              ClusterTopology.builder()
                  .node(
                      Node.builder("node-0").gpus(2, GpuModel.of("K80"), Memory.ofGib(11)).build())
                  .build())
          .policy(Policies.fifo())
          .build();

  private static JobSpec.Builder job(String id, Duration runs) {
    return JobSpec.builder(id).gpus(2).expectedWork(ExpectedWork.ofDuration(runs));
  }

  private void submit(JobSpec.Builder job) {
    scheduler.on(new ClusterEvent.JobSubmitted(NOON, job.build()));
  }

  /** A job that runs for ten minutes, and one behind it that reads. */
  private void readerAfterTenMinutes() {
    submit(job("first", Duration.ofMinutes(10)));
    submit(job("reader", Duration.ofMinutes(10)).dataset(CLICKS));
  }

  private PrefetchPlan plan(Duration after, DataLocality locality, Transfer... underWay) {
    return rules.plan(scheduler, locality, List.of(underWay), NOON.plus(after));
  }

  @Test
  void aCopyIsBegunSoThatItArrivesFifteenSecondsBeforeItsJobStarts() {
    readerAfterTenMinutes();
    Duration due = Duration.ofMinutes(10).minusSeconds(15 + 10);

    PrefetchPlan early = plan(Duration.ZERO, EMPTY);
    assertThat(early.begin()).isEmpty();
    assertThat(early.lookAgain()).contains(NOON.plus(due));

    assertThat(plan(due, EMPTY).begin())
        .singleElement()
        .satisfies(
            prefetch -> {
              assertThat(prefetch.copy()).isEqualTo(new DataCopy(CLICKS, NODE));
              assertThat(prefetch.job()).isEqualTo(JobId.of("reader"));
              assertThat(prefetch.neededAt()).isEqualTo(NOON.plus(Duration.ofMinutes(10)));
              assertThat(prefetch.gainGpuSeconds()).isEqualTo(2 * 10, within(1e-6));
            });
  }

  @Test
  void aCopyThatArrivesTooLateSavesTheTimeThatIsLeft() {
    readerAfterTenMinutes();

    assertThat(plan(Duration.ofMinutes(10).minusSeconds(4), EMPTY).begin())
        .singleElement()
        .satisfies(it -> assertThat(it.gainGpuSeconds()).isEqualTo(2 * 4, within(1e-6)));
  }

  @Test
  void aCopyThatSavesNothingIsNotBegun() {
    readerAfterTenMinutes();

    assertThat(plan(Duration.ofMinutes(10), EMPTY).begin()).isEmpty();
  }

  @Test
  void aCopyBehindAnotherIsBegunEarlier() {
    submit(job("first", Duration.ofMinutes(10)));
    submit(job("reader", Duration.ofSeconds(1)).dataset(CLICKS));
    submit(job("next", Duration.ofMinutes(1)).dataset(new Dataset("films", CLICKS.size())));

    PrefetchPlan plan = plan(Duration.ofMinutes(10).minusSeconds(34), EMPTY);

    assertThat(plan.begin()).map(it -> it.copy().dataset().name()).containsExactly("films");
    assertThat(plan.lookAgain()).contains(NOON.plus(Duration.ofMinutes(10).minusSeconds(25)));
  }

  @Test
  void whatIsThereIsNotBroughtAgain() {
    readerAfterTenMinutes();
    DataLocality there =
        DataLocality.builder()
            .room(NODE, Memory.ofGib(100))
            .copy(new DataCopy(CLICKS, NODE))
            .build();

    assertThat(plan(Duration.ofMinutes(9), there).begin()).isEmpty();
    assertThat(plan(Duration.ofMinutes(9), there).lookAgain()).isEmpty();
  }

  @Test
  void whatIsOnItsWayIsKeptAndNotBegunAgain() {
    readerAfterTenMinutes();
    Transfer half = new Transfer(new DataCopy(CLICKS, NODE), Memory.ofBytes(5_000_000_000L));

    PrefetchPlan plan = plan(Duration.ofMinutes(10).minusSeconds(20), EMPTY, half);

    assertThat(plan.keep()).containsExactly(half);
    assertThat(plan.begin()).isEmpty();
  }

  @Test
  void whatNobodyNeedsAnyMoreIsCancelledAndCountedAsWasted() {
    readerAfterTenMinutes();
    Transfer half = new Transfer(new DataCopy(CLICKS, NODE), Memory.ofBytes(5_000_000_000L));
    scheduler.on(new ClusterEvent.JobCancelled(NOON, JobId.of("reader")));

    PrefetchPlan plan = plan(Duration.ofMinutes(9), EMPTY, half);

    assertThat(plan.cancel()).containsExactly(half);
    assertThat(plan.wasted()).isEqualTo(half.moved());
  }

  @Test
  void aCopyThatDoesNotFitIsNotBegun() {
    readerAfterTenMinutes();
    DataLocality full = DataLocality.builder().room(NODE, Memory.ofGib(9)).build();

    assertThat(plan(Duration.ofMinutes(10).minusSeconds(20), full).begin()).isEmpty();
  }

  @Test
  void aPathNeedsABandwidth() {
    assertThatThrownBy(() -> Prefetching.over(Bandwidth.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the path from the storage must have a bandwidth");
  }

  @Test
  void aTransferDoesNotMoveMoreThanThereIs() {
    assertThatThrownBy(() -> new Transfer(new DataCopy(CLICKS, NODE), Memory.ofGib(10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("of data set 'clicks'");
  }
}
