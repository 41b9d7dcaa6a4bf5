package io.github.liquidscheduler.json;

import static io.github.liquidscheduler.json.Journals.FINISHED;
import static io.github.liquidscheduler.json.Journals.PASSED;
import static io.github.liquidscheduler.json.Journals.STARTED;
import static io.github.liquidscheduler.json.Journals.SUBMITTED;
import static io.github.liquidscheduler.json.Journals.all;
import static io.github.liquidscheduler.json.Journals.read;
import static io.github.liquidscheduler.json.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.json.EventJournalReader.Truncation;
import io.github.liquidscheduler.json.EventJournalWriter.Flush;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EventJournalTest {

  private static final String DAMAGED =
      ", column 1: the check sum of this line does not fit: it was changed, or lines before it were"
          + " changed, taken out or added";

  private static final JournalHeader EVENTS_ONLY =
      JournalHeader.builder("fifo", Samples.CLUSTER).setting("placer", "best-fit").build();

  @ParameterizedTest
  @EnumSource
  void whatWasAppendedIsReadBack(Flush flush, @TempDir Path folder) {
    Path file = folder.resolve("events.jsonl");
    try (EventJournalWriter writer = EventJournalWriter.create(file, EVENTS_ONLY, flush)) {
      writer.append(SUBMITTED);
      writer.append(FINISHED);
    }

    try (EventJournalReader reader = EventJournalReader.open(file, Truncation.REFUSE)) {
      assertThat(reader.header()).isEqualTo(EVENTS_ONLY);
      assertThat(all(reader))
          .containsExactly(
              new JournalEntry(2, SUBMITTED, Optional.empty()),
              new JournalEntry(3, FINISHED, Optional.empty()));
    }
  }

  @Test
  void recordedDecisionsComeWithTheirEvent() {
    assertThat(all(read(Journals.text())))
        .containsExactly(
            new JournalEntry(2, SUBMITTED, Optional.of(STARTED)),
            new JournalEntry(4, FINISHED, Optional.of(List.of())),
            new JournalEntry(5, PASSED, Optional.empty()));
  }

  @Test
  void eachEventReachesTheFileAtOnce(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("events.jsonl");
    try (EventJournalWriter writer =
        EventJournalWriter.create(file, EVENTS_ONLY, Flush.EACH_EVENT)) {
      assertThat(Files.readAllLines(file)).hasSize(1);
      writer.append(SUBMITTED);
      assertThat(Files.readAllLines(file)).hasSize(2);
    }
  }

  @Test
  void aBurstReachesTheDiskWhenItIsForced(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("events.jsonl");
    try (EventJournalWriter writer = EventJournalWriter.create(file, EVENTS_ONLY, Flush.ON_CLOSE)) {
      writer.append(SUBMITTED);
      writer.append(FINISHED);
      assertThat(Files.readAllLines(file)).isEmpty();
      writer.force();
      assertThat(Files.readAllLines(file)).hasSize(3);
    }
  }

  @Test
  void onlyAFileCanBeForcedToDisk() {
    try (EventJournalWriter writer =
        EventJournalWriter.to(new StringWriter(), EVENTS_ONLY, Flush.ON_CLOSE)) {
      assertThatThrownBy(writer::force)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("only a journal in a file can be forced to disk");
    }
  }

  @Test
  void aJournalThatIsThereIsNotOverwritten(@TempDir Path folder) throws Exception {
    Path file = Files.createFile(folder.resolve("events.jsonl"));

    assertThatThrownBy(() -> EventJournalWriter.create(file, EVENTS_ONLY, Flush.ON_CLOSE))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("cannot write '" + file + "': it is there already");
  }

  @Test
  void onlyAFileCanBeFlushedToDisk() {
    StringWriter text = new StringWriter();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> EventJournalWriter.to(text, EVENTS_ONLY, Flush.EACH_EVENT_TO_DISK))
        .withMessageStartingWith("only a file can be flushed to disk");
  }

  @Test
  void anEventOutOfTimeOrderIsNotAppended() {
    StringWriter text = new StringWriter();
    try (EventJournalWriter writer = EventJournalWriter.to(text, EVENTS_ONLY, Flush.ON_CLOSE)) {
      writer.append(FINISHED);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> writer.append(SUBMITTED))
          .withMessageStartingWith("events must be in the order of their times, but JobSubmitted");
    }
    assertThat(text.toString().lines()).hasSize(2);
  }

  @Test
  void aJournalThatPromisesDecisionsTakesNoEventWithout() {
    JournalHeader header =
        JournalHeader.builder("fifo", Samples.CLUSTER).recordDecisions(true).build();
    try (EventJournalWriter writer =
        EventJournalWriter.to(new StringWriter(), header, Flush.ON_CLOSE)) {
      assertThatThrownBy(() -> writer.append(PASSED)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aJournalMayBeginInTheMiddle() {
    SchedulerSnapshot start =
        new SchedulerSnapshot(
            1, NOON, Map.of("jobs", SnapshotSection.builder().put("submissions", 7).build()));
    JournalHeader header = JournalHeader.builder("fifo", Samples.CLUSTER).start(start).build();
    StringWriter text = new StringWriter();
    try (EventJournalWriter writer = EventJournalWriter.to(text, header, Flush.ON_CLOSE)) {
      ClusterEvent tooEarly = new ClusterEvent.TimePassed(NOON.minusNanos(1));
      assertThatIllegalArgumentException().isThrownBy(() -> writer.append(tooEarly));
      writer.append(SUBMITTED);
    }

    assertThat(read(text.toString()).header().start()).contains(start);
  }

  @Test
  void aJournalCutOffAnywhereInItsLastLineIsRefusedThere() {
    String journal = Journals.text();
    for (int end = lastLine(journal) + 1; end < journal.length() - 1; end++) {
      refuses(
          journal.substring(0, end),
          "5, column 1: the journal is cut off in this line; the lines before it are complete");
    }
  }

  @Test
  void theCompleteLinesOfACutOffJournalCanBeTaken() {
    String journal = Journals.text();
    for (int end = lastLine(journal); end < journal.length() - 1; end++) {
      assertThat(all(read(journal.substring(0, end), Truncation.ACCEPT)))
          .extracting(JournalEntry::event)
          .containsExactly(SUBMITTED, FINISHED);
    }
  }

  @Test
  void aLastLineThatLacksOnlyItsEndIsComplete() {
    String journal = Journals.text();

    assertThat(all(read(journal.substring(0, journal.length() - 1)))).hasSize(3);
  }

  @Test
  void aCorruptLineInTheMiddleIsRefusedWhateverIsAccepted() {
    String journal =
        Journals.resealed(Journals.text().replace("{\"type\":\"jobFinished\"", "{\"type\"::"));

    assertThatThrownBy(() -> all(read(journal, Truncation.ACCEPT)))
        .isInstanceOf(JsonFormatException.class)
        .hasMessageStartingWith("events.jsonl, line 4, column 9: not valid JSON: ");
  }

  @Test
  void anUnknownTypeOfLineIsRefused() {
    String journal = Journals.resealed(Journals.text().replace("\"jobFinished\"", "\"jobFlown\""));

    assertThatThrownBy(() -> all(read(journal)))
        .isInstanceOf(JsonFormatException.class)
        .hasMessageStartingWith(
            "events.jsonl, line 4, column 9: $.type: must be one of [jobSubmitted,");
  }

  @Test
  void aBlankLineIsRefused() {
    refuses(Journals.text() + "\n", "6" + DAMAGED);
  }

  @Test
  void anEventOutOfTimeOrderIsRefused() {
    refuses(
        Journals.resealed(Journals.text().replace("12:01:00Z", "11:59:59Z")),
        "4, column 1: events must be in the order of their times,"
            + " but 2026-01-31T11:59:59Z comes after 2026-01-31T12:00:00Z");
  }

  @Test
  void decisionsWithoutAnEventAreRefused() {
    List<String> lines = Journals.text().lines().toList();

    refuses(
        Journals.resealed(lines.get(0) + "\n" + lines.get(2) + "\n"),
        "2, column 1: decisions must follow an event, but these follow none");
    refuses(
        Journals.resealed(
            String.join("\n", lines.get(0), lines.get(1), lines.get(2), lines.get(2))),
        "4, column 1: decisions must follow an event, but these follow none");
  }

  @Test
  void decisionsOfAnotherTimeAreRefused() {
    String journal = Journals.text();
    int decisions = journal.indexOf("\"decisions\"");

    refuses(
        Journals.resealed(
            journal.substring(0, decisions)
                + journal.substring(decisions).replaceFirst("12:00:00Z", "12:00:30Z")),
        "3, column 1: decisions must be as of their event, at 2026-01-31T12:00:00Z,"
            + " but were as of 2026-01-31T12:00:30Z");
  }

  @Test
  void anEmptyJournalIsRefused() {
    refuses("", "1, column 1: a journal must begin with a header, but was empty");
  }

  @Test
  void somethingElseThanAJournalIsRefused() {
    refuses(
        Journals.resealed("{\"type\":\"timePassed\",\"at\":\"2026-01-31T12:00:00Z\"}\n"),
        "1, column 9: $.type: must be one of [journal], but was \"timePassed\"");
  }

  @Test
  void anotherVersionIsRefused() {
    refuses(
        Journals.resealed(Journals.text().replace("\"version\":1", "\"version\":2")),
        "1, column 29: $.version: must be 1, the version of the journal format that this release"
            + " reads, but was 2");
  }

  @Test
  void aLineThatIsTakenOutDoubledOrMovedIsToldByTheNext() {
    List<String> lines = Journals.text().lines().toList();

    for (int line = 1; line < lines.size() - 1; line++) {
      List<String> without = new ArrayList<>(lines);
      without.remove(line);
      refuses(joined(without), line + 1 + DAMAGED);
      List<String> doubled = new ArrayList<>(lines);
      doubled.add(line, lines.get(line));
      refuses(joined(doubled), line + 2 + DAMAGED);
      List<String> moved = new ArrayList<>(lines);
      Collections.swap(moved, line, line + 1);
      refuses(joined(moved), line + 1 + DAMAGED);
    }
  }

  private static String joined(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }

  @Test
  void aJournalBehindAnotherIsRefused() {
    refuses(Journals.text() + Journals.text(), "6" + DAMAGED);
    String joined = Journals.resealed(Journals.text() + Journals.text());
    assertThatThrownBy(() -> all(read(joined)))
        .isInstanceOf(JsonFormatException.class)
        .hasMessageStartingWith("events.jsonl, line 6, column 9: $.type: must be one of [job")
        .hasMessageEndingWith(", but was \"journal\"");
  }

  @Test
  void aLineWithoutItsCheckSumIsRefused() {
    refuses(Journals.text().replaceAll(",\"crc32c\":\"[0-9a-f]{8}\"}", "}"), "1" + DAMAGED);
  }

  @Test
  void lineEndsOfWindowsAreRead() {
    assertThat(all(read(Journals.text().replace("\n", "\r\n")))).hasSize(3);
  }

  @Test
  void zerosBehindTheEndAreACutOffLine() {
    String journal = Journals.text() + "\0".repeat(4096);

    refuses(
        journal,
        "6, column 1: the journal is cut off in this line; the lines before it are complete");
    assertThat(all(read(journal, Truncation.ACCEPT))).hasSize(3);
  }

  @Test
  void aWholeLastLineIsNotTakenForACutOffOneWhateverItsEndHasBecome() {
    String journal = Journals.text();

    for (String end : List.of("}", "\"", "\r", "\0\0\0", "\n\0x".substring(1), "{\"type\":")) {
      String damaged = journal.substring(0, journal.length() - 1) + end;
      assertThatThrownBy(() -> all(read(damaged, Truncation.ACCEPT)))
          .isInstanceOf(JsonFormatException.class)
          .hasMessage("events.jsonl, line 5" + DAMAGED);
    }
  }

  @Test
  void nothingIsAppendedBehindALineThatCouldNotBeWritten() {
    EventJournalWriter writer =
        EventJournalWriter.to(new FullDisk(1000), EVENTS_ONLY, Flush.EACH_EVENT);

    assertThatThrownBy(() -> IntStream.range(0, 100).forEach(i -> writer.append(SUBMITTED)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("cannot write to the journal: java.io.IOException: No space left on device");
    assertThatThrownBy(() -> writer.append(SUBMITTED))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("the journal could not be written before. Begin a new one");
    writer.close();
  }

  @Test
  void anExhaustedJournalHasNoNext() {
    EventJournalReader reader = read(Journals.text());
    reader.forEachRemaining(entry -> {});

    assertThatThrownBy(reader::next).isInstanceOf(NoSuchElementException.class);
  }

  private static int lastLine(String journal) {
    return journal.lastIndexOf('\n', journal.length() - 2) + 1;
  }

  private static void refuses(String journal, String message) {
    assertThatThrownBy(() -> all(read(journal)))
        .isInstanceOf(JsonFormatException.class)
        .hasMessage("events.jsonl, line " + message);
  }

  /** Takes so many characters and no more. */
  private static final class FullDisk extends FilterWriter {
    private int room;

    FullDisk(int room) {
      super(new StringWriter());
      this.room = room;
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
      room -= length;
      if (room < 0) {
        throw new IOException("No space left on device");
      }
      super.write(text, from, length);
    }
  }
}
