package io.github.liquidscheduler.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.JournalDirectory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CookbookTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "RunInALoop, loop",
    "RestartFromAJournal, restart",
    "ShareByQueues, queues",
    "StartBehindReservations, backfill",
    "KeepAGangTogether, domains",
    "KeepAGangTogether, together",
    "GrowAndShrink, elasticity",
    "GrowAndShrink, report",
    "ShareGpus, share",
    "WhyIsMyJobPending, why",
    "PlanCapacity, whatif",
    "PreemptWithGrace, grace",
    "PreemptWithGrace, stopped",
    "TryLastWeek, lastweek",
  })
  void theCookbookShowsTheProgramsAsTheyAre(String program, String region) throws IOException {
    assertThat(ExamplesTest.read("docs/cookbook.md"))
        .contains(ExamplesTest.region(program, region));
  }

  @Test
  void theCookbookShowsWhatAWaitingJobIsTold() throws IOException {
    assertThat(ExamplesTest.read("docs/cookbook.md"))
        .contains(WhyIsMyJobPending.explain().describe());
  }

  @Test
  void aSchedulerGoesOnFromItsJournals() {
    List<String> told = new ArrayList<>();
    SchedulerSnapshot before;
    try (JournalDirectory journals = JournalDirectory.lock(folder)) {
      LiquidScheduler scheduler =
          RestartFromAJournal.restart(journals, FirstScheduler.cluster(), told::add);
      for (String id : List.of("a", "b")) {
        ClusterEvent event =
            new ClusterEvent.JobSubmitted(NOON, JobSpec.builder(id).gpus(24).build());
        journals.append(event, scheduler.on(event));
      }
      before = scheduler.snapshot();
    }
    try (JournalDirectory journals = JournalDirectory.lock(folder)) {
      LiquidScheduler scheduler =
          RestartFromAJournal.restart(journals, FirstScheduler.cluster(), told::add);

      assertThat(scheduler.snapshot()).isEqualTo(before);
      assertThat(scheduler.waiting()).containsExactly(JobId.of("b"));
    }
    assertThat(told).isEmpty();
  }

  @Test
  void gangsAreInOneDomainOfNvlinkOrInOneRack() throws IOException {
    String told = text(KeepAGangTogether.decide(NOON));

    assertThat(told)
        .isEqualTo(
            """
            start pretrain on r0-a-n0, r0-a-n1
            start finetune on r1-a-n0, r1-a-n1, r1-b-n0
            reject huge\
            """);
    assertThat(ExamplesTest.read("docs/cookbook.md")).contains("\n" + told + "\n");
  }

  @Test
  void aJobStartsAtOnceWithTwoNodesMoreAndNotWithOneLess() {
    assertThat(PlanCapacity.starts(NOON))
        .containsEntry("as it is", Optional.of(NOON.plus(Duration.ofHours(5))))
        .containsEntry("two nodes more", Optional.of(NOON))
        .containsEntry("node-0 drained", Optional.empty());
  }

  @Test
  void anImportantJobStartsOnceTheOtherHasSavedItsWork() throws IOException {
    String told = text(PreemptWithGrace.decide(NOON));

    assertThat(told)
        .isEqualTo(
            """
            start nightly on node-0
            preempt nightly until 2026-01-01T13:05:00Z
            start urgent on node-0 after nightly\
            """);
    assertThat(ExamplesTest.read("docs/cookbook.md")).contains("\n" + told + "\n");
  }

  @Test
  void aLogOfSlurmIsRunOnceMoreUnderOtherPolicies() throws IOException {
    Path nodes = Files.writeString(folder.resolve("nodes.txt"), NODES);
    Path jobs = Files.writeString(folder.resolve("sacct.txt"), JOBS);

    String told = TryLastWeek.meanCompletionTimes(nodes, jobs).toString();

    assertThat(told).isEqualTo("{fifo=PT6H15M, best-effort-fifo=PT4H45M, sjf=PT4H}");
    assertThat(ExamplesTest.read("docs/cookbook.md")).contains("\n" + told + "\n");
  }

  private static final String NODES =
      """
      NodeName=tux1 Gres=gpu:a100:8 CPUTot=64 RealMemory=512000
      NodeName=tux2 Gres=gpu:a100:8 CPUTot=64 RealMemory=512000
      """;

  private static final String JOBS =
      """
      JobID|Submit|Start|End|ReqTRES|Partition|User|State
      7|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T12:00:00|gres/gpu=16,node=2|lab|ann|COMPLETED
      8|2026-03-01T11:00:00|2026-03-01T12:00:00|2026-03-01T17:00:00|gres/gpu=8,node=1|lab|bob|COMPLETED
      9|2026-03-01T11:00:00|2026-03-01T17:00:00|2026-03-01T18:00:00|gres/gpu=16,node=2|lab|ann|COMPLETED
      10|2026-03-01T11:00:00|2026-03-01T18:00:00|2026-03-01T21:00:00|gres/gpu=8,node=1|lab|bob|COMPLETED
      """;

  private static String text(List<Decision> decisions) {
    return decisions.stream().map(CookbookTest::text).collect(Collectors.joining("\n"));
  }

  private static String text(Decision decision) {
    return switch (decision) {
      case Decision.Start start ->
          "start " + start.job() + " on " + nodes(start) + after(start.after());
      case Decision.Preempt preempt ->
          "preempt " + preempt.job() + " until " + preempt.until().orElseThrow();
      case Decision.Reject reject -> "reject " + reject.job();
      default -> decision.toString();
    };
  }

  private static String nodes(Decision.Start start) {
    return start.placement().nodes().toString().replaceAll("[\\[\\]]", "");
  }

  private static String after(List<JobId> jobs) {
    return jobs.isEmpty() ? "" : " after " + jobs.getFirst();
  }
}
