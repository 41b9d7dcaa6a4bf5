package io.github.liquidscheduler.json;

import static io.github.liquidscheduler.json.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.json.EventJournalReader.Truncation;
import io.github.liquidscheduler.json.EventJournalWriter.Flush;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a scheduler of default size gives, is written and read back with default limits. */
@Tag("slow")
class LargeRecordsTest {

  /** As a batch window of default size gives it: 5,000 gangs of 16 GPUs on 10,000 nodes. */
  @Test
  void aPlanForThousandsOfGangsIsReadBack(@TempDir Path folder) {
    List<Placement> starts =
        IntStream.range(0, 5000).mapToObj(job -> gang("gang-" + job, 16)).toList();
    BatchPlan plan =
        new BatchPlan(1, starts, List.of(), List.of(), new PlanCertificate(1, 1, 0, 0, List.of()));

    isReadBack(folder, new ClusterEvent.PlanProposed(NOON, plan), List.of());
  }

  @Test
  void aGangOnAHundredThousandGpusIsReadBack(@TempDir Path folder) {
    Placement all = gang("all", 104_000);
    Reason why = new Reason.Scheduled("fifo", 0);

    isReadBack(
        folder,
        new ClusterEvent.TimePassed(NOON),
        List.of(new Decision.Start(all.job(), all, why)));
  }

  @Test
  void aStateOfAMillionJobsThatAreOverIsReadBack() {
    SchedulerSnapshot state = stateOf(1_000_000, 60_000);

    assertThat(
            JsonCodecs.SNAPSHOT.read("state.json", JsonCodecs.SNAPSHOT.write(state)).equals(state))
        .isTrue();
  }

  @Test
  void aJournalMayBeginWithALargeState(@TempDir Path folder) {
    SchedulerSnapshot state = stateOf(1_800_000, 100);
    Path file = folder.resolve("big.jsonl");
    JournalHeader header = JournalHeader.builder("fifo", Samples.CLUSTER).start(state).build();
    EventJournalWriter.create(file, header, Flush.ON_CLOSE).close();

    try (EventJournalReader reader = EventJournalReader.open(file, Truncation.REFUSE)) {
      assertThat(reader.header().equals(header)).isTrue();
    }
  }

  private static SchedulerSnapshot stateOf(int over, int waiting) {
    List<String> ids = IntStream.range(0, over + waiting).mapToObj(LargeRecordsTest::uuid).toList();
    List<SnapshotSection> jobs =
        ids.subList(over, over + waiting).stream().map(LargeRecordsTest::waitingJob).toList();
    Map<String, SnapshotSection> sections = new LinkedHashMap<>();
    sections.put(
        "ended",
        SnapshotSection.builder()
            .texts("jobs", ids.subList(0, over))
            .text("outcomes", "F".repeat(over))
            .build());
    sections.put("jobs", SnapshotSection.builder().list("waiting", jobs, job -> job).build());
    return new SchedulerSnapshot(1, NOON, sections);
  }

  private static String uuid(int number) {
    return Integer.toHexString((1 << 28) + number) + "-0000-4000-8000-000000000000";
  }

  private static SnapshotSection waitingJob(String id) {
    JobSpec job = JobSpec.builder(id).gpus(8).label("team", "vision").label("run", id).build();
    return SnapshotSection.builder()
        .put("job", job)
        .put("sequence", 1)
        .text("submittedAt", NOON)
        .text("since", NOON)
        .build();
  }

  private static Placement gang(String job, int gpus) {
    List<TaskPlacement> tasks =
        IntStream.range(0, gpus)
            .mapToObj(
                task ->
                    new TaskPlacement(
                        new TaskId("worker", task),
                        NodeId.of("node-" + task / 8),
                        List.of(task % 8),
                        ResourceRequest.ofGpus(1)))
            .toList();
    return new Placement(JobId.of(job), tasks);
  }

  private static void isReadBack(Path folder, ClusterEvent event, List<Decision> decisions) {
    Path file = folder.resolve("big.jsonl");
    JournalHeader header =
        JournalHeader.builder("fifo", Samples.CLUSTER).recordDecisions(true).build();
    try (EventJournalWriter writer = EventJournalWriter.create(file, header, Flush.ON_CLOSE)) {
      writer.append(event, decisions);
    }
    try (EventJournalReader reader = EventJournalReader.open(file, Truncation.REFUSE)) {
      JournalEntry entry = reader.next();
      assertThat(entry.event().equals(event)).isTrue();
      assertThat(entry.decisions().orElse(List.of()).equals(decisions)).isTrue();
    }
  }
}
