package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Job r runs on n0, job w waits, job e has ended. */
class SnapshotTest {

  private final Session session = Session.of(Policies.fifo(), 4, 4);
  private SchedulerSnapshot good;

  @BeforeEach
  void setUp() {
    session.submit("e", 1);
    session.finish("e");
    session.at(10).submit("r", 3);
    session.at(20).submit("w", 8);
    good = session.scheduler.snapshot();
  }

  @Test
  void aSchedulerWithoutEventsHasASnapshotToo() {
    SchedulerSnapshot empty = options(Policies.fifo()).build().snapshot();

    assertThat(empty.now()).isEqualTo(Instant.MIN);
    assertThat(options(Policies.fifo()).restore(empty).snapshot()).isEqualTo(empty);
  }

  @Test
  void itHoldsAllThatIsRemembered() {
    assertThat(good.now()).isEqualTo(Instant.ofEpochSecond(20));
    assertThat(good.sections())
        .containsOnlyKeys("parameters", "ended", "jobs", "failures", "cluster");
    assertThat(good.section("parameters").values()).containsEntry("policy", "fifo");
    assertThat(good.section("ended").values()).hasToString("{jobs=[e], outcomes=F}");
    assertThat(good.section("jobs").values()).containsEntry("submissions", 3L);
    assertThat(job("running")).containsKey("placement");
    assertThat(job("waiting")).containsEntry("sequence", 2L).doesNotContainKey("placement");
  }

  @Test
  void itIsRestoredWithItsOwnPolicyOnly() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options(Policies.priority()).restore(good))
        .withMessage(
            "a snapshot must be restored under its own parameters, but policy was 'fifo' and is"
                + " 'priority'");
  }

  @Test
  void itIsRestoredWithItsOwnThresholdsOnly() {
    SchedulingPolicy short1 = Policies.leastAttainedService(List.of(Duration.ofHours(1)));
    SchedulingPolicy long2 = Policies.leastAttainedService(List.of(Duration.ofHours(2)));
    SchedulerSnapshot snapshot = options(short1).build().snapshot();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> options(long2).restore(snapshot))
        .withMessage(
            "a snapshot must be restored under its own parameters, but policy.thresholds was"
                + " '[PT1H]' and is '[PT2H]'");
  }

  @Test
  void itIsRestoredWithItsOwnBypassLimitOnly() {
    BatchWindow window = BatchWindow.of(Duration.ofSeconds(10));
    LiquidScheduler.Builder strict = options(Policies.bestEffortFifo()).batch(window);
    LiquidScheduler.Builder loose = options(Policies.bestEffortFifo()).batch(window.bypassLimit(3));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> loose.restore(strict.build().snapshot()))
        .withMessage(
            "a snapshot must be restored under its own parameters, but batch.bypassLimit was '0'"
                + " and is '3'");
  }

  @Test
  void itIsRestoredInItsOwnVersionOnly() {
    refused(
        new SchedulerSnapshot(2, good.now(), good.sections()),
        "a snapshot must be of version 1, but was of version 2");
  }

  @Test
  void aSectionThatIsNotKnownIsKept() {
    Map<String, SnapshotSection> sections = new LinkedHashMap<>(good.sections());
    sections.put("reservations", SnapshotSection.builder().put("next", 7).build());
    SchedulerSnapshot later = new SchedulerSnapshot(1, good.now(), sections);
    LiquidScheduler restored = options(Policies.fifo()).restore(later);

    assertThat(restored.snapshot()).isEqualTo(later);
    assertThat(restored.copy().snapshot()).isEqualTo(later);
  }

  @Test
  void aSectionThatIsMissingIsNamed() {
    Map<String, SnapshotSection> sections = new LinkedHashMap<>(good.sections());
    sections.remove("failures");

    refused(
        new SchedulerSnapshot(1, good.now(), sections),
        "a snapshot must have a section 'failures', but has only [parameters, ended, jobs,"
            + " cluster]");
  }

  @Test
  void aValueThatIsNotKnownIsNamed() {
    refused(
        with("failures", "draning", List.of("n0")),
        "a snapshot must hold what this version knows, but 'draning' is none of"
            + " [draining, lostNodes, lostGpus, deadlines]");
    refused(with("jobs", "submissions", "many"), "'submissions' must be a Long, but was many");
  }

  @Test
  void aJobIsNamedOnce() {
    refused(
        with("ended", "jobs", List.of("w")),
        "a snapshot must name each job once, but named 'w' twice");
    refused(
        with("jobs", "waiting", List.of(section("waiting"), section("waiting"))),
        "a snapshot must name each job once, but named 'w' twice");
  }

  @Test
  void eachJobThatIsOverHasAnOutcome() {
    refused(
        with("ended", "outcomes", "FF"), "each job that is over must have an outcome, but 1 had 2");
    refused(
        with("ended", "outcomes", "?"),
        "an outcome must be one of the letters F, X, C and R, but was '?'");
  }

  @Test
  void eachReasonIsOfAJobThatIsOver() {
    refused(
        with("ended", "rejected", List.of("w")),
        "each job that was rejected must have a reason, but 1 had 0");
    refused(
        with("ended", "rejected", List.of("w"), "reasons", List.of("too large")),
        "a job that was rejected must be over, but is not: job 'w'");
  }

  @Test
  void everyOutcomeIsRemembered() {
    SnapshotSection all =
        SnapshotSection.builder()
            .texts("jobs", List.of("a", "b", "c", "d"))
            .text("outcomes", "FXCR")
            .texts("rejected", List.of("d"))
            .texts("reasons", List.of("too large"))
            .build();
    Map<String, SnapshotSection> sections = new LinkedHashMap<>(good.sections());
    sections.put("ended", all);
    LiquidScheduler restored =
        options(Policies.fifo()).restore(new SchedulerSnapshot(1, good.now(), sections));

    assertThat(Stream.of("a", "b", "c", "d").map(id -> restored.status(JobId.of(id)).orElseThrow()))
        .containsExactly(
            new JobStatus.Ended(JobStatus.Outcome.FINISHED),
            new JobStatus.Ended(JobStatus.Outcome.FAILED),
            new JobStatus.Ended(JobStatus.Outcome.CANCELLED),
            new JobStatus.Ended(JobStatus.Outcome.REJECTED, Optional.of("too large")));
    assertThat(restored.snapshot().section("ended")).isEqualTo(all);
  }

  @Test
  void onlyARunningJobHasAPlacement() {
    refused(
        with("jobs", "running", List.of(section("waiting"))),
        "a running job must have a placement and a waiting one none, but was none, for job 'w'");
    refused(
        with("jobs", "waiting", List.of(changed("running", "sequence", 2L, "job", specOf("w")))),
        "a running job must have a placement and a waiting one none, but was r: [worker/0 on n0[0],"
            + " worker/1 on n0[1], worker/2 on n0[2]], for job 'w'");
  }

  @Test
  void aPlacementIsOfTheWholeGang() {
    Placement whole = session.scheduler.view().placement(session.entry("r").id()).orElseThrow();
    Placement half = new Placement(whole.job(), whole.tasks().subList(0, 2));

    refused(
        with("jobs", "running", List.of(changed("running", "placement", half))),
        "a running job's placement must be of all its tasks, each with what it requests, but was"
            + " r: [worker/0 on n0[0], worker/1 on n0[1]], for job 'r'");
  }

  @Test
  void sequencesAreTheJobsOwn() {
    refused(
        with("jobs", "waiting", List.of(changed("waiting", "sequence", 1L))),
        "a job's sequence must be its own, and below the 3 submissions, but was 1, for job 'w'");
    refused(
        with("jobs", "waiting", List.of(changed("waiting", "sequence", 3L))),
        "a job's sequence must be its own, and below the 3 submissions, but was 3, for job 'w'");
  }

  @Test
  void nothingIsNegative() {
    refused(with("jobs", "submissions", -1L), "'submissions' must not be negative, but was -1");
    refused(
        with("jobs", "waiting", List.of(changed("waiting", "preemptions", -1L))),
        "'preemptions' must not be negative, but was -1");
    refused(
        with("jobs", "waiting", List.of(changed("waiting", "remaining", "PT-1S"))),
        "'remaining' must be readable, but 'PT-1S' is not: a time must not be negative");
  }

  @Test
  void noMoreIsForgivenThanAttained() {
    refused(
        with("jobs", "waiting", List.of(changed("waiting", "forgiven", "PT1S"))),
        "no more of a job's time must be forgiven than it attained, PT0S, but was PT1S, for job"
            + " 'w'");
  }

  @Test
  void nothingRunsOnWhatIsLost() {
    refused(
        with("failures", "lostNodes", List.of("n0")),
        "no task may run on what is lost, but was worker/0 on n0[0], for job 'r'");
    refused(
        with("failures", "lostGpus", List.of("n0:1")),
        "no task may run on what is lost, but was worker/1 on n0[1], for job 'r'");
  }

  @Test
  void aNodeIsLostOnce() {
    refused(
        with("failures", "lostNodes", List.of("n1", "n1")),
        "a node or GPU must be draining or lost once, but 'n1' is so twice");
    refused(
        with("failures", "draining", List.of("n1"), "lostNodes", List.of("n1")),
        "a node or GPU must be draining or lost once, but 'n1' is so twice");
  }

  @Test
  void whatIsLostIsRestored() {
    SchedulerSnapshot snapshot =
        with("failures", "lostNodes", List.of("n1"), "lostGpus", List.of("n0:3"));
    LiquidScheduler restored = options(Policies.fifo()).restore(snapshot);

    assertThat(restored.state().failures().lostNodes()).containsExactly(NodeId.of("n1"));
    assertThat(restored.view().isLost(GpuId.of("n0", 3))).isTrue();
    assertThat(restored.copy().view().isLost(GpuId.of("n0", 3))).isTrue();
  }

  @Test
  void whatRunsFitsTheCluster() {
    LiquidScheduler.Builder smaller =
        LiquidScheduler.builder(Session.cluster(2, 2)).policy(Policies.fifo());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> smaller.restore(good))
        .withMessage(
            "a running job must be where it may run, but a node or GPU is not in the cluster, for"
                + " r: [worker/0 on n0[0], worker/1 on n0[1], worker/2 on n0[2]]");
  }

  @Test
  void noTwoJobsRunOnOneGpu() {
    Placement taken = session.scheduler.view().placement(session.entry("r").id()).orElseThrow();
    Placement same = new Placement(session.entry("w").id(), taken.tasks());
    SnapshotSection other =
        changed("running", "sequence", 2L, "placement", same, "job", Session.aJob("w", 3).build());

    refused(
        with("jobs", "waiting", List.of(), "running", List.of(section("running"), other)),
        "a snapshot's running jobs must fit the cluster, but job 'w' does not");
  }

  @Test
  void aRunningJobIsWhereItMayRun() {
    JobSpec.Builder elsewhere = Session.aJob("r", 3).gpuModels(List.of(GpuModel.of("A100")));
    refused(
        with("jobs", "running", List.of(changed("running", "job", elsewhere.build()))),
        "a running job must be where it may run, but a GPU model or node is not allowed, for r:"
            + " [worker/0 on n0[0], worker/1 on n0[1], worker/2 on n0[2]]");
  }

  @Test
  void anUnknownNodeIsRefused() {
    refused(with("failures", "lostNodes", List.of("n9")), "the cluster has no node 'n9'");
  }

  private static LiquidScheduler.Builder options(SchedulingPolicy policy) {
    return LiquidScheduler.builder(Session.cluster(4, 4)).policy(policy);
  }

  private static void refused(SchedulerSnapshot snapshot, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options(Policies.fifo()).restore(snapshot))
        .withMessage(message);
  }

  /** Returns the good snapshot with other values in one section. */
  private SchedulerSnapshot with(String section, Object... namesAndValues) {
    Map<String, SnapshotSection> sections = new LinkedHashMap<>(good.sections());
    sections.put(section, changed(good.section(section).values(), namesAndValues));
    return new SchedulerSnapshot(good.version(), good.now(), sections);
  }

  private SnapshotSection changed(String jobs, Object... namesAndValues) {
    return changed(job(jobs), namesAndValues);
  }

  private static SnapshotSection changed(Map<String, Object> values, Object... namesAndValues) {
    Map<String, Object> changed = new LinkedHashMap<>(values);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      changed.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
    }
    return new SnapshotSection(changed);
  }

  private Object specOf(String job) {
    return session.entry(job).job();
  }

  private SnapshotSection section(String jobs) {
    return new SnapshotSection(job(jobs));
  }

  /** Returns the entry of the only waiting or running job. */
  private Map<String, Object> job(String jobs) {
    return good.section("jobs")
        .read(
            in -> {
              in.names().forEach(name -> in.optional(name, Object.class));
              return in.list(jobs, SnapshotSection.class, SnapshotSection::values).get(0);
            });
  }
}
