package io.github.liquidscheduler.json;

import static io.github.liquidscheduler.json.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.json.EventJournalReader.Truncation;
import io.github.liquidscheduler.json.EventJournalWriter.Flush;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventJournalTest {

  private static final ClusterEvent SUBMITTED =
      new ClusterEvent.JobSubmitted(NOON, Samples.aJob("a"));
  private static final ClusterEvent FINISHED =
      new ClusterEvent.JobFinished(NOON.plusSeconds(60), JobId.of("a"));
  private static final ClusterEvent PASSED = new ClusterEvent.TimePassed(NOON.plusSeconds(90));
  private static final List<Decision> STARTED = List.of(Samples.start("a"));

  @Test
  void whatWasAppendedIsReadBack(@TempDir Path folder) {
    Path file = folder.resolve("events.jsonl");
    JournalHeader header =
        JournalHeader.builder("fifo", Samples.CLUSTER).setting("placer", "best-fit").build();
    try (EventJournalWriter writer =
        EventJournalWriter.create(file, header, Flush.EACH_EVENT_TO_DISK)) {
      writer.append(SUBMITTED);
      writer.append(FINISHED);
    }

    try (EventJournalReader reader = EventJournalReader.open(file, Truncation.REFUSE)) {
      assertThat(reader.header()).isEqualTo(header);
      assertThat(all(reader))
          .containsExactly(
              new JournalEntry(2, SUBMITTED, Optional.empty()),
              new JournalEntry(3, FINISHED, Optional.empty()));
    }
  }

  @Test
  void recordedDecisionsComeWithTheirEvent() {
    assertThat(all(read(journal())))
        .containsExactly(
            new JournalEntry(2, SUBMITTED, Optional.of(STARTED)),
            new JournalEntry(4, FINISHED, Optional.of(List.of())),
            new JournalEntry(5, PASSED, Optional.empty()));
  }

  @Test
  void aJournalCutOffAnywhereInALineIsRefusedThere() {
    String journal = journal();
    int lastLine = journal.lastIndexOf('\n', journal.length() - 2) + 1;
    for (int end = lastLine + 1; end < journal.length() - 1; end++) {
      String cut = journal.substring(0, end);
      assertThatThrownBy(() -> all(read(cut)))
          .isInstanceOf(JsonFormatException.class)
          .hasMessage(
              "events.jsonl, line 5, column 1: the journal is cut off in this line;"
                  + " the lines before it are complete");
    }
  }

  @Test
  void theCompleteLinesOfACutOffJournalCanBeTaken() {
    String journal = journal();
    String cut = journal.substring(0, journal.length() - 5);
    try (EventJournalReader reader =
        EventJournalReader.open("cut", bytes(cut), Truncation.ACCEPT, JsonLimits.DEFAULT)) {
      assertThat(all(reader)).extracting(JournalEntry::event).containsExactly(SUBMITTED, FINISHED);
    }
  }

  @Test
  void theDigestIsThatOfTheLinesOfDecisions() throws Exception {
    DecisionsDigest digest = new DecisionsDigest();
    digest.add(NOON, STARTED);
    digest.add(PASSED.at(), List.of());

    String line = journal().lines().filter(text -> text.contains("decisions\",")).findFirst().get();
    byte[] expected =
        java.security.MessageDigest.getInstance("SHA-256")
            .digest((line + "\n").getBytes(StandardCharsets.UTF_8));
    assertThat(digest.hex()).isEqualTo(java.util.HexFormat.of().formatHex(expected));
    assertThat(digest.decisions()).isEqualTo(1);
  }

  private static String journal() {
    StringWriter text = new StringWriter();
    JournalHeader header =
        JournalHeader.builder("fifo", Samples.CLUSTER).recordDecisions(true).build();
    try (EventJournalWriter writer = EventJournalWriter.to(text, header, Flush.ON_CLOSE)) {
      writer.append(SUBMITTED, STARTED);
      writer.append(FINISHED, List.of());
      writer.append(PASSED, List.of());
    }
    return text.toString();
  }

  private static EventJournalReader read(String journal) {
    return EventJournalReader.open(
        "events.jsonl", bytes(journal), Truncation.REFUSE, JsonLimits.DEFAULT);
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<JournalEntry> all(EventJournalReader reader) {
    List<JournalEntry> entries = new ArrayList<>();
    reader.forEachRemaining(entries::add);
    return entries;
  }
}
