package io.github.liquidscheduler.json;

import io.github.liquidscheduler.scheduling.Decision;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Reads a journal event by event, a few lines of it in memory. Refuses, naming the line, what is
 * not in the format: a line that is cut off or too long, an event out of time order, decisions that
 * follow no event, another version. Not thread-safe.
 */
public final class EventJournalReader implements Iterator<JournalEntry>, AutoCloseable {

  /** What to make of a journal that was cut off in the middle of its last line. */
  public enum Truncation {
    /** Refuse it when that line is reached. */
    REFUSE,
    /** Take the lines before it. */
    ACCEPT
  }

  private final JournalLines lines;
  private final Truncation truncation;
  private final JsonLimits limits;
  private final JsonDocuments documents;
  private final LineChecksum checksum = new LineChecksum();
  private final JournalHeader header;
  private Instant last;
  private boolean isCutOff;
  private Optional<JournalLine> ahead;

  private EventJournalReader(JournalLines lines, Truncation truncation, JsonLimits limits) {
    this.lines = lines;
    this.truncation = truncation;
    this.limits = limits;
    documents = new JsonDocuments(limits);
    header = readHeader();
    last = header.start().map(start -> start.now()).orElse(Instant.MIN);
    ahead = readLine();
  }

  /**
   * Opens the journal in {@code file}.
   *
   * @throws JsonFormatException if its first lines are not in the format
   * @throws UncheckedIOException if it cannot be read
   */
  public static EventJournalReader open(Path file, Truncation truncation) {
    try {
      return open(file.toString(), Files.newInputStream(file), truncation, JsonLimits.RECORDS);
    } catch (IOException e) {
      throw Failures.reading(file.toString(), e);
    }
  }

  /**
   * Opens the journal in {@code bytes}, which are closed with it, or at once if it is refused.
   *
   * @param source what errors call the journal
   * @throws JsonFormatException if its first lines are not in the format
   * @throws UncheckedIOException if it cannot be read
   */
  public static EventJournalReader open(
      String source, InputStream bytes, Truncation truncation, JsonLimits limits) {
    JournalLines lines = new JournalLines(source, bytes);
    try {
      return new EventJournalReader(lines, truncation, limits);
    } catch (RuntimeException e) {
      lines.close();
      throw e;
    }
  }

  /** Returns true if the first line of a file is whole, which holds the header. */
  static boolean hasWholeHeader(Path file) {
    try (InputStream bytes = Files.newInputStream(file)) {
      return new JournalLines(file.toString(), bytes)
          .next(JsonLimits.RECORDS.maxDocumentCharacters())
          .filter(line -> new LineChecksum().open(line.bytes()).isPresent())
          .isPresent();
    } catch (IOException e) {
      throw Failures.reading(file.toString(), e);
    }
  }

  /** Returns the header in the first line. */
  public JournalHeader header() {
    return header;
  }

  /**
   * Returns true if a last line that was cut off was left out, once the line before it was read.
   */
  public boolean isCutOff() {
    return isCutOff;
  }

  @Override
  public boolean hasNext() {
    return ahead.isPresent();
  }

  /**
   * Returns the next event with what was decided after it.
   *
   * @throws NoSuchElementException if there is none
   * @throws JsonFormatException if the lines that follow it are not in the format
   * @throws UncheckedIOException if the journal cannot be read
   */
  @Override
  public JournalEntry next() {
    JournalLine line = ahead.orElseThrow(NoSuchElementException::new);
    if (!(line instanceof JournalLine.Happened happened)) {
      throw lines.refuse(line.number(), "decisions must follow an event, but these follow none");
    }
    ahead = readLine();
    return new JournalEntry(happened.number(), happened.event(), decisionsAfter(happened));
  }

  @Override
  public void close() {
    lines.close();
  }

  JsonFormatException refuse(int line, String rule) {
    return lines.refuse(line, rule);
  }

  /** A next event tells that nothing was decided after this one; the journal's end does not. */
  private Optional<List<Decision>> decisionsAfter(JournalLine.Happened event) {
    if (ahead.isEmpty() || !header.recordsDecisions()) {
      return Optional.empty();
    }
    if (!(ahead.get() instanceof JournalLine.Decided decided)) {
      return Optional.of(List.of());
    }
    if (!decided.at().equals(event.at())) {
      throw lines.refuse(
          decided.number(),
          "decisions must be as of their event, at %s, but were as of %s"
              .formatted(event.at(), decided.at()));
    }
    ahead = readLine();
    return Optional.of(decided.decisions());
  }

  private JournalHeader readHeader() {
    JournalLines.Line line =
        lines
            .next(limits.maxDocumentCharacters())
            .orElseThrow(
                () -> lines.refuse(1, "a journal must begin with a header, but was empty"));
    return HeaderJson.HEADER.read(opened(line).orElseThrow(() -> cutOff(line)));
  }

  private Optional<JournalLine> readLine() {
    return lines
        .next(limits.maxLineBytes())
        .flatMap(this::openedUnlessCutOff)
        .map(value -> value.at(() -> JournalLine.read(value)))
        .map(this::inTimeOrder);
  }

  private Optional<JsonValue> openedUnlessCutOff(JournalLines.Line line) {
    Optional<JsonValue> opened = opened(line);
    if (opened.isEmpty() && truncation == Truncation.REFUSE) {
      throw cutOff(line);
    }
    isCutOff = opened.isEmpty();
    return opened;
  }

  private Optional<JsonValue> opened(JournalLines.Line line) {
    Optional<byte[]> content = checksum.open(line.bytes());
    if (content.isEmpty() && (line.ended() || checksum.isFollowedBySomething(line.bytes()))) {
      throw lines.refuse(
          line.number(),
          "the check sum of this line does not fit: it was changed, or lines before it were"
              + " changed, taken out or added");
    }
    return content.map(whole -> lines.parse(line.number(), whole, documents));
  }

  private JsonFormatException cutOff(JournalLines.Line line) {
    return lines.refuse(
        line.number(), "the journal is cut off in this line; the lines before it are complete");
  }

  private JournalLine inTimeOrder(JournalLine line) {
    if (line.at().isBefore(last)) {
      throw lines.refuse(
          line.number(),
          "events must be in the order of their times, but %s comes after %s"
              .formatted(line.at(), last));
    }
    last = line.at();
    return line;
  }
}
