package io.github.liquidscheduler.runtime.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.prediction.RunTimeScenario;
import io.github.liquidscheduler.runtime.forecast.RunTimeDistribution.Span;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunTimeRecordsTest {

  private static final JobSpec TOLD = told("told", 100);
  private static final JobSpec UNTOLD = JobSpec.builder("untold").gpus(1).build();

  private final RunTimeRecords records = new RunTimeRecords();
  private final List<JobId> lost = new ArrayList<>();
  private Instant now = Instant.EPOCH;
  private int jobs;

  private static JobSpec told(String job, long seconds) {
    return JobSpec.builder(job)
        .gpus(1)
        .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(seconds)))
        .build();
  }

  @Test
  void beforeEnoughJobsHaveEndedAllRunAsLongAsExpected() {
    learn(19, 2);
    assertThat(runTimes(TOLD, 0)).containsExactly(100.0);

    learn(1, 2);
    assertThat(runTimes(TOLD, 0)).hasSize(19).doesNotContain(100.0);
  }

  @Test
  void thereIsOneIfAllJobsRanAsLongAsExpected() {
    learn(20, 1);

    assertThat(runTimes(TOLD, 0)).containsExactly(100.0);
  }

  @Test
  void thereAreMoreIfNothingIsExpectedOfAWaitingJob() {
    learn(30, 1);
    submit(UNTOLD);

    assertThat(runTimes(TOLD, 0)).hasSize(19).containsOnly(100.0);
    assertThat(records.scenarios(now, each -> !lost.contains(each)))
        .allSatisfy(each -> assertThat(each.runTime(UNTOLD, Duration.ZERO)).isEmpty());
  }

  @Test
  void jobsRunTwiceAsLongAsExpectedWhereAllDid() {
    learn(30, 2);

    assertThat(runTimes(TOLD, 0)).hasSize(19).containsOnly(200.0);
  }

  @Test
  void jobsOfWhichNothingIsExpectedRunAsLongAsOthersDid() {
    for (int job = 0; job < 30; job++) {
      run(JobSpec.builder("u" + job).gpus(1).build(), 50);
    }

    assertThat(runTimes(UNTOLD, 0)).hasSize(19).containsOnly(50.0);
    assertThat(runTimes(TOLD, 0)).hasSize(19).containsOnly(100.0);
  }

  @Test
  void theLengthsOfAJobAreSpreadEvenly() {
    List<Span> spans = new ArrayList<>();
    for (int ratio = 1; ratio <= 20; ratio++) {
      learn(1, ratio);
      spans.add(new Span(0, ratio, true));
    }
    RunTimeDistribution known = new RunTimeDistribution(spans);

    assertThat(runTimes(TOLD, 300).stream().sorted().mapToDouble(Double::doubleValue).toArray())
        .containsExactly(
            IntStream.range(0, 19).mapToDouble(i -> 100 * known.given(3, (i + .5) / 19)).toArray(),
            within(.001));
    assertThat(runTimes(TOLD, 300)).isNotEqualTo(runTimes(told("other", 100), 300));
  }

  @Test
  void whoHasRunLongerThanExpectedRunsOnAsOthersDid() {
    learn(10, 1);
    learn(30, 3);

    assertThat(runTimes(TOLD, 150)).containsOnly(300.0);
  }

  @Test
  void whoStillRunsSaysThatLongRunsAreNotRare() {
    learn(20, 1);
    for (int job = 0; job < 20; job++) {
      submit(told("long" + job, 1));
      start("long" + job);
    }
    now = now.plusSeconds(3);

    assertThat(runTimes(TOLD, 0)).filteredOn(each -> each > 100).hasSizeBetween(8, 11);
  }

  @Test
  void whoLostItsNodeDoesNotRun() {
    learn(30, 1);
    submit(told("a", 1));
    start("a");
    now = now.plusSeconds(3);
    assertThat(runTimes(TOLD, 0)).hasSize(19);

    lost.add(JobId.of("a"));
    assertThat(runTimes(TOLD, 0)).containsExactly(100.0);
  }

  @Test
  void partsOfAnInterruptedRunAddUp() {
    learn(29, 2);
    submit(told("a", 100));
    start("a");
    now = now.plusSeconds(150);
    preempt("a");
    now = now.plusSeconds(1000);
    start("a");
    now = now.plusSeconds(50);
    observe(new ClusterEvent.JobFinished(now, JobId.of("a")));

    assertThat(runTimes(TOLD, 0)).containsOnly(200.0);
  }

  @Test
  void ofAJobThatFinishesAfterItWasStoppedItIsKnownHowLongItRanAtLeast() {
    learn(29, 2);
    submit(told("a", 100));
    start("a");
    now = now.plusSeconds(20);
    preempt("a");
    now = now.plusSeconds(1000);
    observe(new ClusterEvent.JobFinished(now, JobId.of("a")));

    assertThat(runTimes(TOLD, 0)).containsOnly(200.0);
  }

  @Test
  void aFailedRunIsARun() {
    learn(29, 2);
    submit(told("a", 100));
    start("a");
    now = now.plusSeconds(200);
    fail("a", Retry.now());
    start("a");
    now = now.plusSeconds(200);
    fail("a", Retry.no());
    submit(told("b", 100));
    start("b");
    now = now.plusSeconds(5000);
    observe(new ClusterEvent.JobCancelled(now, JobId.of("b")));

    assertThat(runTimes(TOLD, 0)).containsOnly(200.0);
  }

  @Test
  void jobsThatItWasNotToldOfAreIgnored() {
    start("stranger");
    observe(new ClusterEvent.JobUpdated(now, told("stranger", 5)));
    observe(new ClusterEvent.JobFinished(now, JobId.of("stranger")));
    fail("stranger", Retry.now());
    learn(19, 2);

    assertThat(runTimes(TOLD, 0)).containsExactly(100.0);
  }

  @Test
  void onlyTheLastThousandEndsCount() {
    learn(1000, 1);
    learn(900, 2);
    assertThat(runTimes(TOLD, 0)).containsOnly(100.0, 200.0);

    learn(100, 2);
    assertThat(runTimes(TOLD, 0)).containsOnly(200.0);
  }

  private List<Double> runTimes(JobSpec job, long ran) {
    return records.scenarios(now, each -> !lost.contains(each)).stream()
        .map(scenario -> seconds(scenario, job, ran))
        .toList();
  }

  private static double seconds(RunTimeScenario scenario, JobSpec job, long ran) {
    return scenario.runTime(job, Duration.ofSeconds(ran)).orElseThrow().toMillis() / 1e3;
  }

  private void learn(int count, int ratio) {
    for (int job = 0; job < count; job++) {
      run(told("j" + jobs++, 10), 10L * ratio);
    }
  }

  private void run(JobSpec job, long seconds) {
    submit(job);
    start(job.id().value());
    now = now.plusSeconds(seconds);
    observe(new ClusterEvent.JobFinished(now, job.id()));
  }

  private void submit(JobSpec job) {
    observe(new ClusterEvent.JobSubmitted(now, job));
  }

  private void start(String job) {
    TaskPlacement task =
        new TaskPlacement(
            new TaskId("worker", 0), NodeId.of("n"), List.of(0), ResourceRequest.ofGpus(1));
    JobId id = JobId.of(job);
    observe(
        new ClusterEvent.TimePassed(now),
        new Decision.Start(id, new Placement(id, List.of(task)), new Reason.Scheduled("fifo", 0)));
  }

  private void preempt(String job) {
    observe(
        new ClusterEvent.TimePassed(now),
        new Decision.Preempt(JobId.of(job), new Reason.Scheduled("fifo", 0), Optional.empty()));
  }

  private void fail(String job, Retry retry) {
    observe(new ClusterEvent.JobFailed(now, JobId.of(job), Failure.CRASHED, retry));
  }

  private void observe(ClusterEvent event, Decision... decisions) {
    records.observe(event, List.of(decisions));
  }
}
