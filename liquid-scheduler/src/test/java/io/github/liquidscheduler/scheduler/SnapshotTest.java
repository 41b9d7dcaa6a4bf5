package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.JobRecord;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Job r runs on n0, job w waits, job e has ended. */
class SnapshotTest {

  private final Session session = Session.of(Policies.fifo(), 4, 4);
  private SchedulerSnapshot good;
  private JobRecord running;
  private JobRecord waiting;

  @BeforeEach
  void setUp() {
    session.submit("e", 1);
    session.finish("e");
    session.at(10).submit("r", 3);
    session.at(20).submit("w", 8);
    good = session.scheduler.snapshot();
    running = good.running().get(0);
    waiting = good.waiting().get(0);
  }

  @Test
  void aSchedulerWithoutEventsHasASnapshotToo() {
    LiquidScheduler.Builder options =
        LiquidScheduler.builder(Session.cluster(4)).policy(Policies.fifo());
    SchedulerSnapshot empty = options.build().snapshot();

    assertThat(empty.now()).isEqualTo(Instant.MIN);
    assertThat(options.restore(empty).snapshot()).isEqualTo(empty);
  }

  @Test
  void itHoldsAllThatIsRemembered() {
    assertThat(good.policy()).isEqualTo("fifo");
    assertThat(good.now()).isEqualTo(Instant.ofEpochSecond(20));
    assertThat(good.submissions()).isEqualTo(3);
    assertThat(good.ended()).containsExactly(Map.entry(JobId.of("e"), Outcome.FINISHED));
    assertThat(running.placement()).isPresent();
    assertThat(waiting.placement()).isEmpty();
    assertThat(waiting.sequence()).isEqualTo(2);
  }

  @Test
  void itIsRestoredWithItsOwnPolicyOnly() {
    LiquidScheduler.Builder other =
        LiquidScheduler.builder(Session.cluster(4, 4)).policy(Policies.priority());

    assertThatThrownBy(() -> other.restore(good))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a snapshot must be restored with its own policy, but it is of 'fifo' and this is"
                + " 'priority'");
  }

  @Test
  void aJobIsNamedOnce() {
    refused(
        with(List.of(waiting), List.of(running), Map.of(JobId.of("w"), Outcome.FAILED)),
        "a snapshot must name each job once, but named 'w' twice");
    refused(
        with(List.of(waiting, waiting), List.of(running), Map.of()),
        "a snapshot must name each job once, but named 'w' twice");
  }

  @Test
  void onlyARunningJobHasAPlacement() {
    refused(
        with(List.of(), List.of(waiting), Map.of()),
        "a running job must have a placement and a waiting one none, but was none, for job 'w'");
    refused(
        with(List.of(running), List.of(), Map.of()),
        "a running job must have a placement and a waiting one none, but was r: [worker/0 on n0[0],"
            + " worker/1 on n0[1], worker/2 on n0[2]], for job 'r'");
  }

  @Test
  void sequencesAreTheJobsOwn() {
    refused(
        with(List.of(record(waiting, 1, Duration.ZERO)), List.of(running), Map.of()),
        "a job's sequence must be its own, from 0 and below the 3 submissions, but was 1, for job"
            + " 'r'");
    refused(
        with(List.of(record(waiting, 3, Duration.ZERO)), List.of(running), Map.of()),
        "a job's sequence must be its own, from 0 and below the 3 submissions, but was 3, for job"
            + " 'w'");
  }

  @Test
  void noMoreIsForgivenThanAttained() {
    refused(
        with(List.of(record(waiting, 2, Duration.ofSeconds(1))), List.of(running), Map.of()),
        "a job's executed, attained and forgiven time must not be negative, nor more be forgiven"
            + " than attained, but was [PT0S, PT0S, PT1S], for job 'w'");
  }

  @Test
  void nothingRunsOnWhatIsLost() {
    refused(
        outages(List.of(NodeId.of("n0")), List.of()),
        "no task may run on what is lost, but was worker/0 on n0[0], for job 'r'");
    refused(
        outages(List.of(), List.of(GpuId.of("n0", 1))),
        "no task may run on what is lost, but was worker/1 on n0[1], for job 'r'");
  }

  @Test
  void whatRunsFitsTheCluster() {
    LiquidScheduler.Builder smaller =
        LiquidScheduler.builder(Session.cluster(2, 2)).policy(Policies.fifo());

    assertThatThrownBy(() -> smaller.restore(good))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a snapshot's running jobs must fit the cluster, but job 'r' does not");
  }

  @Test
  void anUnknownNodeIsRefused() {
    refused(outages(List.of(NodeId.of("n9")), List.of()), "the cluster has no node 'n9'");
  }

  private void refused(SchedulerSnapshot snapshot, String message) {
    LiquidScheduler.Builder options =
        LiquidScheduler.builder(Session.cluster(4, 4)).policy(Policies.fifo());

    assertThatThrownBy(() -> options.restore(snapshot))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  private SchedulerSnapshot with(
      List<JobRecord> waiting, List<JobRecord> running, Map<JobId, Outcome> ended) {
    return new SchedulerSnapshot(
        "fifo",
        good.now(),
        3,
        waiting,
        running,
        ended,
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  private SchedulerSnapshot outages(List<NodeId> nodes, List<GpuId> gpus) {
    return new SchedulerSnapshot(
        "fifo",
        good.now(),
        3,
        good.waiting(),
        good.running(),
        good.ended(),
        List.of(),
        nodes,
        gpus,
        Optional.empty(),
        Optional.empty());
  }

  private static JobRecord record(JobRecord record, long sequence, Duration forgiven) {
    return new JobRecord(
        record.job(),
        sequence,
        record.submittedAt(),
        record.since(),
        record.executed(),
        record.attained(),
        forgiven,
        record.preemptions(),
        record.bypassed(),
        record.level(),
        record.remaining(),
        record.remainingAt(),
        record.placement());
  }
}
