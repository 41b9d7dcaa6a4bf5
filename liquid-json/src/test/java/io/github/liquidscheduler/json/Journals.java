package io.github.liquidscheduler.json;

import static io.github.liquidscheduler.json.Samples.NOON;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.json.EventJournalReader.Truncation;
import io.github.liquidscheduler.json.EventJournalWriter.Flush;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A small journal that records decisions, and ways to read one. */
final class Journals {

  static final ClusterEvent SUBMITTED = new ClusterEvent.JobSubmitted(NOON, Samples.aJob("a"));
  static final ClusterEvent FINISHED =
      new ClusterEvent.JobFinished(NOON.plusSeconds(60), JobId.of("a"));
  static final ClusterEvent PASSED = new ClusterEvent.TimePassed(NOON.plusSeconds(90));
  static final List<Decision> STARTED = List.of(Samples.start("a"));

  private Journals() {}

  /** Returns a journal of five lines: header, event, decisions, event, event. */
  static String text() {
    StringWriter text = new StringWriter();
    JournalHeader header =
        JournalHeader.builder(OneAtATime.POLICY, Samples.CLUSTER).recordDecisions(true).build();
    try (EventJournalWriter writer = EventJournalWriter.to(text, header, Flush.ON_CLOSE)) {
      writer.append(SUBMITTED, STARTED);
      writer.append(FINISHED, List.of());
      writer.append(PASSED, List.of());
    }
    return text.toString();
  }

  /** Returns a journal that was changed with the check sums that its writer would have given it. */
  static String resealed(String changed) {
    LineChecksum checksum = new LineChecksum();
    return changed
        .lines()
        .map(line -> line.replaceFirst(",\"crc32c\":\"[0-9a-f]{8}\"}$", "}"))
        .map(line -> checksum.seal(line) + "\n")
        .collect(Collectors.joining());
  }

  static EventJournalReader read(String journal) {
    return read(journal, Truncation.REFUSE);
  }

  static EventJournalReader read(String journal, Truncation truncation) {
    return read(journal.getBytes(StandardCharsets.UTF_8), truncation);
  }

  static EventJournalReader read(byte[] journal, Truncation truncation) {
    return EventJournalReader.open(
        "events.jsonl", new ByteArrayInputStream(journal), truncation, JsonLimits.DEFAULT);
  }

  static List<JournalEntry> all(EventJournalReader reader) {
    List<JournalEntry> entries = new ArrayList<>();
    reader.forEachRemaining(entries::add);
    return entries;
  }
}
