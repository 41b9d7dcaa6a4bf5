package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.cluster.ClusterArgument;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.EventJournalWriter;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Why jobs wait, and what would happen, in a state that was saved. */
class SavedStateTest {

  private static final ClusterTopology CLUSTER = new ClusterArgument().convert("2x4xP100");
  private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");

  @TempDir private Path folder = Path.of("");
  private Path journal = Path.of("");
  private Path snapshot = Path.of("");

  @BeforeEach
  void save() {
    LiquidScheduler scheduler =
        LiquidScheduler.builder(CLUSTER).policy(Policies.fifo()).backfill(Backfill.easy()).build();
    journal = folder.resolve("day.jsonl");
    snapshot = folder.resolve("state.json");
    try (EventJournalWriter writer =
        EventJournalWriter.create(
            journal, JournalHeader.builder(scheduler).build(), EventJournalWriter.Flush.ON_CLOSE)) {
      submit(scheduler, writer, "busy", 4, 1);
      submit(scheduler, writer, "large", 8, 2);
      submit(scheduler, writer, "long", 4, 6);
    }
    JsonCodecs.SNAPSHOT.write(scheduler.snapshot(), snapshot);
  }

  private static void submit(
      LiquidScheduler scheduler, EventJournalWriter journal, String id, int gpus, int hours) {
    JobSpec job =
        JobSpec.builder(id)
            .gpus(gpus)
            .expectedWork(ExpectedWork.ofDuration(Duration.ofHours(hours)))
            .build();
    ClusterEvent event = new ClusterEvent.JobSubmitted(NOON, job);
    journal.append(event, scheduler.on(event));
  }

  @Test
  void eachWaitingJobHasALine() {
    Command command = Command.run("explain", "--journal", journal.toString());

    assertThat(command.status()).isZero();
    assertThat(command.output().lines())
        .hasSize(4)
        .anySatisfy(
            line ->
                assertThat(line).contains("large", "8", "2026-05-04T13:00:00Z", "GPUS (the job)"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("long", "not known", "RESERVATION (job 'large' is to start"));
  }

  @Test
  void oneJobIsExplainedInFullFromASnapshotToo() {
    Command command =
        Command.run(
            "explain",
            "--snapshot",
            snapshot.toString(),
            "--cluster",
            "2x4xP100",
            "--job",
            "large");

    assertThat(command.output())
        .startsWith("job 'large' waits:")
        .contains("expected to start at 2026-05-04T13:00:00Z")
        .contains("would fit when job");
  }

  @Test
  void explanationsAreJsonIfWanted() {
    assertThat(Command.run("explain", "--journal", journal.toString(), "--json").output())
        .startsWith("[{\"job\":\"large\"")
        .endsWith("}]\n");
  }

  @Test
  void aLookAheadSaysWhenEachWouldStart() {
    Command command = Command.run("whatif", "--journal", journal.toString());

    assertThat(command.status()).isZero();
    assertThat(command.output())
        .containsPattern("large +8 +2026-05-04T13:00:00Z")
        .containsPattern("long +4 +2026-05-04T15:00:00Z");
  }

  @Test
  void anEventIsTriedOut() throws IOException {
    Path events = folder.resolve("events.jsonl");
    Files.writeString(
        events,
        "\n{\"type\": \"nodeLost\", \"at\": \"2026-05-04T12:00:00Z\", \"node\": \"node-0\"}\n");

    Command command =
        Command.run(
            "whatif",
            "--journal",
            journal.toString(),
            "--events",
            events.toString(),
            "--decisions");

    assertThat(command.output())
        .contains("2026-05-04T12:00:00Z  preempt busy: node 'node-0' is lost")
        .contains("start busy on node-1")
        .containsPattern("large +8 +2026-05-04T13:00:00Z +-\n")
        .containsPattern("busy +4 +runs +2026-05-04T12:00:00Z\n");
  }

  @Test
  void moreThanWasAskedForIsSaid() {
    assertThat(Command.run("whatif", "--journal", journal.toString(), "--ahead", "1").output())
        .contains("More is expected to happen than --ahead 1.");
  }

  @Test
  void mistakesAreOneLine() throws IOException {
    Path events = Files.writeString(folder.resolve("events.jsonl"), "{}\n");

    assertThat(Command.run("explain").errors())
        .startsWith("liquid explain: needs either --snapshot and --cluster, or --journal");
    assertThat(Command.run("explain", "--journal", journal.toString(), "--job", "x").errors())
        .startsWith(
            "liquid explain: only a waiting job can be explained, but job 'x' is not known");
    assertThat(
            Command.run("whatif", "--journal", journal.toString(), "--events", events.toString())
                .errors())
        .contains("events.jsonl:1")
        .hasLineCount(1);
    assertThat(Command.run("whatif", "--journal", journal.toString(), "--ahead", "-1").status())
        .isEqualTo(2);
  }

  @Test
  void jobsArePlacedBesideThoseThatRun() throws IOException {
    Path jobs =
        Files.writeString(
            folder.resolve("jobs.json"),
            """
            [{"id": "short", "expectedWork": {"duration": "1800s"},
              "roles": [{"name": "worker", "count": 4, "request": {"gpus": 1}}]},
             {"id": "late", "roles": [{"name": "worker", "count": 4, "request": {"gpus": 1}}]}]
            """);
    String[] common = {
      "--cluster", "2x4xP100", "--jobs", jobs.toString(), "--snapshot", snapshot.toString()
    };

    Command placed = Command.run(joined("place", common));
    Command planned = Command.run(joined("plan", common));

    assertThat(placed.errors()).isEmpty();
    assertThat(placed.output().lines())
        .anySatisfy(line -> assertThat(line).startsWith("short").contains("starts on node-1"))
        .anySatisfy(line -> assertThat(line).startsWith("late").endsWith("waits"))
        .noneSatisfy(line -> assertThat(line).contains("job 'large' waits"));
    assertThat(planned.output()).contains("node-1").doesNotContain("node-0");
    assertThat(Command.run(joined("place", common, "--policy", "fifo")).errors())
        .contains("--policy cannot be given with --snapshot, which has its own");
  }

  private static String[] joined(String command, String[] common, String... more) {
    return Stream.of(Stream.of(command), Stream.of(common), Stream.of(more))
        .flatMap(each -> each)
        .toArray(String[]::new);
  }
}
