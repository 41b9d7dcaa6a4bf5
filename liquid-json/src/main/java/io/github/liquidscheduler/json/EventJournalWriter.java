package io.github.liquidscheduler.json;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Records the events that a scheduler has taken, one a line, behind a line that says what the
 * scheduler was made of. Append an event after {@code Scheduler.on} has returned and before its
 * decisions are carried out: an event that the scheduler refuses changes nothing and has no place
 * in the journal. After a restart, begin a new journal with the recovered state in its header. Not
 * thread-safe.
 */
public final class EventJournalWriter implements AutoCloseable {

  /** When what was appended leaves this process. */
  public enum Flush {
    /** When the journal is closed, or buffers are full. The end is lost if the process dies. */
    ON_CLOSE,
    /** After each event. Nothing is lost if the process dies, the end if the machine does. */
    EACH_EVENT,
    /** After each event, through to the disk. Nothing is lost; needs a file. */
    EACH_EVENT_TO_DISK
  }

  private final Writer text;
  private final @Nullable FileChannel disk;
  private final boolean recordsDecisions;
  private final Flush flush;
  private final LineChecksum checksum = new LineChecksum();
  private boolean isBroken;
  private Instant last;

  private EventJournalWriter(
      Writer text, @Nullable FileChannel disk, JournalHeader header, Flush flush) {
    this.text = text;
    this.disk = disk;
    this.recordsDecisions = header.recordsDecisions();
    this.flush = Objects.requireNonNull(flush, "flush");
    last = header.start().map(start -> start.now()).orElse(Instant.MIN);
    writeLines(JsonOutput.line(out -> HeaderJson.HEADER.write(out, header)));
    flushIf(flush != Flush.ON_CLOSE);
  }

  /**
   * Begins a journal in a new file.
   *
   * @throws UncheckedIOException if the file is there already or cannot be written
   */
  public static EventJournalWriter create(Path file, JournalHeader header, Flush flush) {
    try {
      FileChannel disk =
          FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      Writer text = new BufferedWriter(Channels.newWriter(disk, StandardCharsets.UTF_8));
      return new EventJournalWriter(text, disk, header, flush);
    } catch (IOException e) {
      throw Failures.writing(file.toString(), e);
    }
  }

  /**
   * Begins a journal in {@code text}, which is closed with the journal.
   *
   * @throws IllegalArgumentException if {@code flush} needs a file
   * @throws UncheckedIOException if it cannot be written
   */
  public static EventJournalWriter to(Writer text, JournalHeader header, Flush flush) {
    if (flush == Flush.EACH_EVENT_TO_DISK) {
      throw new IllegalArgumentException(
          "only a file can be flushed to disk, but the journal goes to " + text);
    }
    return new EventJournalWriter(text, null, header, flush);
  }

  /**
   * Appends an event to a journal of events only.
   *
   * @throws IllegalStateException if the header promises decisions
   * @throws IllegalArgumentException if the event is earlier than the one before it
   * @throws UncheckedIOException if it cannot be written, or one before it could not
   */
  public void append(ClusterEvent event) {
    if (recordsDecisions) {
      throw new IllegalStateException(
          "this journal records decisions, but " + event + " came without. Use append(…, …)");
    }
    append(event, List.of());
  }

  /**
   * Appends an event and, if the header promises them, what was decided after it.
   *
   * @throws IllegalArgumentException if the event is earlier than the one before it
   * @throws UncheckedIOException if it cannot be written, or one before it could not
   */
  public void append(ClusterEvent event, List<Decision> decisions) {
    if (event.at().isBefore(last)) {
      throw new IllegalArgumentException(
          "events must be in the order of their times, but " + event + " comes after " + last);
    }
    String happened = JsonCodecs.EVENT.write(event);
    if (recordsDecisions && !decisions.isEmpty()) {
      writeLines(happened, JournalLine.decided(event.at(), decisions));
    } else {
      writeLines(happened);
    }
    last = event.at();
    flushIf(flush != Flush.ON_CLOSE);
  }

  /**
   * Passes on what was appended, whatever the policy of flushing.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  public void flush() {
    flushIf(true);
  }

  /**
   * Passes on what was appended through to the disk, whatever the policy of flushing: once for many
   * events that nobody acts on before.
   *
   * @throws IllegalStateException if the journal does not go to a file
   * @throws UncheckedIOException if it cannot be written
   */
  public void force() {
    if (disk == null) {
      throw new IllegalStateException("only a journal in a file can be forced to disk");
    }
    attempt(
        () -> {
          text.flush();
          disk.force(false);
        });
  }

  /**
   * Passes on what was appended and closes the journal.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  @Override
  public void close() {
    try {
      flushIf(!isBroken);
    } finally {
      closeText();
    }
  }

  private void closeText() {
    try {
      text.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the journal: " + e, e);
    }
  }

  private void writeLines(String... lines) {
    attempt(
        () -> {
          for (String line : lines) {
            text.write(checksum.seal(line));
            text.write('\n');
          }
        });
  }

  private void flushIf(boolean now) {
    if (!now) {
      return;
    }
    attempt(
        () -> {
          text.flush();
          if (disk != null && flush == Flush.EACH_EVENT_TO_DISK) {
            disk.force(false);
          }
        });
  }

  /** After a failure nobody knows how much of a line was written, so nothing may follow it. */
  private void attempt(Attempt attempt) {
    if (isBroken) {
      throw new UncheckedIOException(
          new IOException("the journal could not be written before. Begin a new one"));
    }
    try {
      attempt.run();
    } catch (IOException e) {
      isBroken = true;
      throw new UncheckedIOException("cannot write to the journal: " + e, e);
    }
  }

  private interface Attempt {
    void run() throws IOException;
  }
}
