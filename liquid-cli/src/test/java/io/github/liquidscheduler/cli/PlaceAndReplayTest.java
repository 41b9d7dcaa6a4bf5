package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.EventJournalWriter;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PlaceAndReplayTest {

  private static final ClusterTopology CLUSTER = new ClusterArgument().convert("2x8xV100");

  @TempDir private Path folder = Path.of("");
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path jobs = Path.of("");

  @BeforeEach
  void writeJobs() throws IOException {
    jobs = folder.resolve("jobs.json");
    Files.writeString(jobs, "[" + job("a", 12) + "," + job("b", 6) + "," + job("c", 99) + "]");
  }

  @Test
  void placePrintsWhatStartsWhatCannotAndWhyTheRestWaits() {
    int status = run(new PlaceCommand(), "--cluster", "2x8xV100", "--jobs", jobs.toString());

    assertThat(status).isZero();
    assertThat(out.toString())
        .contains("\"decisions\": [")
        .contains("\"start\"", "\"reject\"", "\"waiting\": [", "GPUS");
  }

  @Test
  void placeNamesTheFileAndTheLineOfAMistake() throws IOException {
    Files.writeString(jobs, "[\n" + job("a", -1) + "\n]");

    int status = run(new PlaceCommand(), "--cluster", "2x8xV100", "--jobs", jobs.toString());

    assertThat(status).isNotZero();
    assertThat(err.toString()).contains("jobs.json").contains("2");
  }

  @Test
  void placeRefusesAClusterThatIsNone() {
    int status = run(new PlaceCommand(), "--cluster", "2x", "--jobs", jobs.toString());

    assertThat(status).isEqualTo(2);
    assertThat(err.toString()).contains("--cluster").contains("2x");
  }

  @Test
  void replayFindsEveryDecisionAsRecorded() {
    Path journal = journal("fifo");

    assertThat(run(new ReplayCommand(), "--journal", journal.toString())).isZero();
    assertThat(out.toString()).contains("3 events", "every decision is as recorded", "digest ");
  }

  @Test
  void replayPointsAtTheFirstDecisionThatDiffers() throws IOException {
    Path journal = journal("fifo");
    Files.writeString(journal, Files.readString(journal).replace("node-0", "node-1"));

    int status = run(new ReplayCommand(), "--journal", journal.toString());

    assertThat(status).isNotZero();
  }

  private Path journal(String policy) {
    Path journal = folder.resolve("journal.jsonl");
    Scheduler scheduler = LiquidScheduler.builder(CLUSTER).policy(Policies.named(policy)).build();
    JournalHeader header = JournalHeader.builder(policy, CLUSTER).recordDecisions(true).build();
    List<ClusterEvent> events =
        List.of(
            new ClusterEvent.JobSubmitted(Instant.EPOCH, JobSpec.builder("a").gpus(4).build()),
            new ClusterEvent.JobSubmitted(
                Instant.EPOCH.plusSeconds(1), JobSpec.builder("b").gpus(16).build()),
            new ClusterEvent.JobFinished(Instant.EPOCH.plusSeconds(9), JobId.of("a")));
    try (EventJournalWriter writer =
        EventJournalWriter.create(journal, header, EventJournalWriter.Flush.ON_CLOSE)) {
      events.forEach(event -> writer.append(event, scheduler.on(event)));
    }
    return journal;
  }

  private int run(Object command, String... arguments) {
    return new CommandLine(command)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setExecutionExceptionHandler(
            (exception, line, parsed) -> {
              line.getErr().println(exception.getMessage());
              return 2;
            })
        .execute(arguments);
  }

  private static String job(String id, int gpus) {
    return "{\"id\": \"%s\", \"roles\": [{\"name\": \"worker\", \"count\": %d, \"request\":"
            .formatted(id, gpus)
        + " {\"gpus\": 1}}]}";
  }
}
