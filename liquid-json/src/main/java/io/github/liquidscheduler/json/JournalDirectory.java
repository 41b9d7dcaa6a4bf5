package io.github.liquidscheduler.json;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a directory of numbered segments, each a journal that begins with a snapshot. A segment is
 *   begun in another file, forced to disk, renamed, and the directory forced to disk. So a segment
 *   has its whole snapshot from the moment at which it can be found, and until then the segment
 *   before it, which was forced to disk first, says the same.
 * Invariants: at every instant of a crash, recovery returns the state after all events that were
 *   forced, and at most some that were not; no number is used twice; pruning leaves the newest
 *   segments whose snapshots read. JournalDirectoryTest crashes at every byte and between all
 *   steps, KilledJournalTest kills a process.
 * Cost: a rotation writes a snapshot; recovery reads one and replays the events behind it.
 * Rejected: to append to a segment of an earlier process, whose last line may be cut off.
 */
/**
 * The journals of a scheduler in a directory of their own, for one process at a time. After a start
 * {@linkplain #recover recover} what is there, then {@linkplain #rotate begin a segment}, then
 * append; {@link #append} and {@link #force} are the two actions of an {@code EventJournal}. Begin
 * a segment again once in a while: that keeps recovery short. Not thread-safe: a loop calls it
 * where it decides.
 *
 * <p>A failure to begin a segment leaves the one before it in use, unless the failure is that of
 * the very last step: then nothing is appended until a segment is begun.
 */
public final class JournalDirectory implements AutoCloseable {

  private static final String PREFIX = "journal-";
  private static final String SUFFIX = ".jsonl";
  private static final String UNFINISHED = ".unfinished";
  private static final int DIGITS = 12;

  private final Path folder;
  private final DirectoryLock lock;
  private @Nullable EventJournalWriter current;
  private long events;

  private JournalDirectory(Path folder, DirectoryLock lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /**
   * What was recovered.
   *
   * @param scheduler the scheduler after the last event
   * @param segment where its snapshot and those events are
   * @param events the number of events after the snapshot
   * @param isCutOff whether a last line was dropped that had not been written to its end, so that
   *     nobody has acted on it
   * @param corrupt newer segments whose snapshots do not read, newest first; their events are lost
   */
  public record Recovery<S extends Scheduler>(
      S scheduler, Path segment, long events, boolean isCutOff, List<Path> corrupt) {

    /** Copies the list. */
    public Recovery {
      corrupt = List.copyOf(corrupt);
    }

    /**
     * Returns what an operator should know, as sentences without full stops; none if all is well.
     */
    public List<String> notes() {
      List<String> notes = new ArrayList<>();
      for (Path each : corrupt) {
        notes.add(
            "the snapshot of '%s' is corrupt, so its events are lost and '%s' is used instead"
                .formatted(each, segment));
      }
      if (isCutOff) {
        notes.add(
            "the last line of '%s' was cut off while it was written, so it is dropped"
                .formatted(segment));
      }
      return notes;
    }
  }

  /**
   * Locks a directory, which is made if it is not there. The lock ends with {@link #close} or the
   * process.
   *
   * @throws IllegalStateException if it is locked already, by this process or another
   * @throws java.io.UncheckedIOException if it cannot be made or locked
   */
  public static JournalDirectory lock(Path folder) {
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(folder);
        sync(folder.resolve(".."));
      }
      return new JournalDirectory(folder, DirectoryLock.of(folder));
    } catch (IOException e) {
      throw Failures.writing(folder.toString(), e);
    }
  }

  /**
   * Returns the newest segment of a directory whose snapshot reads; empty if there is none. Needs
   * no lock.
   *
   * @throws java.io.UncheckedIOException if the directory cannot be read
   */
  public static Optional<Path> newest(Path folder) {
    return segments(folder).stream().filter(EventJournalReader::hasWholeHeader).findFirst();
  }

  /**
   * Returns the scheduler as the newest segment says whose snapshot reads, after the events behind
   * it; empty if there is no segment. What was appended by this object must have been forced.
   *
   * @param make makes a scheduler of what a header says, and restores the snapshot in it
   * @throws IllegalStateException if the scheduler decides otherwise than recorded
   * @throws JsonFormatException if no snapshot reads, or a line behind the newest one does not,
   *     except for a last line that was cut off
   * @throws java.io.UncheckedIOException if the directory cannot be read
   */
  public <S extends Scheduler> Optional<Recovery<S>> recover(Function<JournalHeader, S> make) {
    return recover(make, (event, decisions) -> {});
  }

  /**
   * Does the same and tells somebody of each event behind the snapshot and what was decided after
   * it: what stands beside the scheduler, of whose state the header has what was {@linkplain
   * JournalHeader#attached attached}.
   *
   * @param make makes a scheduler of what a header says, and restores the snapshot in it
   */
  public <S extends Scheduler> Optional<Recovery<S>> recover(
      Function<JournalHeader, S> make,
      BiConsumer<? super ClusterEvent, ? super List<Decision>> hears) {
    List<Path> segments = segments(folder);
    Optional<Path> newest = newest(folder);
    if (segments.isEmpty()) {
      return Optional.empty();
    }
    Path segment = newest.orElse(segments.getFirst());
    List<Path> corrupt = segments.subList(0, segments.indexOf(segment));
    try (EventJournalReader journal =
        EventJournalReader.open(segment, EventJournalReader.Truncation.ACCEPT)) {
      S scheduler = make.apply(journal.header());
      JournalReplay replay = JournalReplay.of(journal, scheduler, hears);
      if (replay.divergence().isPresent()) {
        throw new IllegalStateException(
            "a journal must be replayed to what it says, but '%s' was not: %s"
                .formatted(segment, replay.divergence().get().describe()));
      }
      return Optional.of(
          new Recovery<>(scheduler, segment, replay.events(), journal.isCutOff(), corrupt));
    }
  }

  /**
   * Begins a segment with the present state of a scheduler, after all events that were appended.
   *
   * @return the segment
   * @throws java.io.UncheckedIOException if it cannot be written
   */
  public Path rotate(Scheduler scheduler) {
    return rotate(scheduler, Map.of());
  }

  /**
   * Begins a segment with the present state of a scheduler, and of what stands beside it.
   *
   * @param attached the state of what remembers events, by name
   * @return the segment
   * @throws java.io.UncheckedIOException if it cannot be written
   */
  public Path rotate(Scheduler scheduler, Map<String, SnapshotSection> attached) {
    JournalHeader.Builder header =
        JournalHeader.builder(scheduler).recordDecisions(true).start(scheduler.snapshot());
    attached.forEach(header::attach);
    return rotate(header.build());
  }

  /**
   * Begins a segment with a header of the embedder's own, after all events that were appended.
   *
   * @param header says what the scheduler is made of, and its present state
   * @return the segment
   * @throws IllegalArgumentException if the header has no snapshot
   * @throws java.io.UncheckedIOException if it cannot be written
   */
  public Path rotate(JournalHeader header) {
    if (header.start().isEmpty()) {
      throw new IllegalArgumentException("a segment must begin with a snapshot, but has none");
    }
    if (current != null) {
      current.force();
    }
    Path segment = folder.resolve(PREFIX + digits(number(segments(folder)) + 1) + SUFFIX);
    EventJournalWriter next = begin(segment, header);
    try {
      if (current != null) {
        forceAndStop(current);
      }
      sync(folder);
      current = next;
      events = 0;
      return segment;
    } catch (IOException e) {
      throw Failures.writing(folder.toString(), e);
    } finally {
      if (current == null) {
        next.close();
      }
    }
  }

  private static EventJournalWriter begin(Path segment, JournalHeader header) {
    Path unfinished = segment.resolveSibling(segment.getFileName() + UNFINISHED);
    @Nullable EventJournalWriter next = null;
    boolean isBegun = false;
    try {
      Files.deleteIfExists(unfinished);
      next = EventJournalWriter.create(unfinished, header, EventJournalWriter.Flush.ON_CLOSE);
      next.force();
      Files.move(unfinished, segment, StandardCopyOption.ATOMIC_MOVE);
      isBegun = true;
      return next;
    } catch (IOException e) {
      throw Failures.writing(segment.toString(), e);
    } finally {
      if (next != null && !isBegun) {
        next.close();
      }
    }
  }

  /**
   * Appends an event that the scheduler has taken, and what was decided after it.
   *
   * @throws IllegalStateException if no segment was begun
   * @throws java.io.UncheckedIOException if it cannot be written, or one before it could not
   */
  public void append(ClusterEvent event, List<Decision> decisions) {
    current().append(event, decisions);
    events++;
  }

  /**
   * Passes on what was appended through to the disk.
   *
   * @throws IllegalStateException if no segment was begun
   * @throws java.io.UncheckedIOException if it cannot be written
   */
  public void force() {
    current().force();
  }

  /** Returns the number of events appended to the segment in use. */
  public long events() {
    return events;
  }

  /**
   * Deletes old segments, the oldest first. Segments with corrupt snapshots are not counted, and
   * deleted only with those before them.
   *
   * @param keep the number of segments to be kept, of those whose snapshots read; at least 1
   * @return the number of segments deleted
   * @throws IllegalArgumentException if {@code keep} is less than 1
   * @throws java.io.UncheckedIOException if one cannot be deleted
   */
  public int prune(int keep) {
    if (keep < 1) {
      throw new IllegalArgumentException("at least 1 segment must be kept, but were to be " + keep);
    }
    List<Path> segments = segments(folder);
    Optional<Path> last =
        segments.stream().filter(EventJournalReader::hasWholeHeader).skip(keep - 1L).findFirst();
    if (last.isEmpty()) {
      return 0;
    }
    List<Path> old = segments.subList(segments.indexOf(last.get()) + 1, segments.size()).reversed();
    try {
      for (Path each : old) {
        Files.delete(each);
      }
      sync(folder);
    } catch (IOException e) {
      throw Failures.writing(folder.toString(), e);
    }
    return old.size();
  }

  /**
   * Passes on what was appended through to the disk, and gives up the lock.
   *
   * @throws java.io.UncheckedIOException if it cannot be written
   */
  @Override
  public void close() {
    try (lock) {
      if (current != null) {
        forceAndStop(current);
      }
    }
  }

  private void forceAndStop(EventJournalWriter last) {
    current = null;
    try (last) {
      last.force();
    }
  }

  private EventJournalWriter current() {
    if (current == null) {
      throw new IllegalStateException(
          "a segment must be begun by rotate(…) before anything is appended, but none was, in '%s'"
              .formatted(folder));
    }
    return current;
  }

  /** Returns the segments, newest first. */
  private static List<Path> segments(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(JournalDirectory::isSegment).sorted().toList().reversed();
    } catch (IOException e) {
      throw Failures.reading(folder.toString(), e);
    }
  }

  private static boolean isSegment(Path file) {
    String name = file.getFileName().toString();
    return name.matches(PREFIX + "\\d{" + DIGITS + "}\\" + SUFFIX);
  }

  private static long number(List<Path> segments) {
    return segments.isEmpty()
        ? 0
        : Long.parseLong(
            segments
                .getFirst()
                .getFileName()
                .toString()
                .substring(PREFIX.length(), PREFIX.length() + DIGITS));
  }

  private static String digits(long number) {
    return ("%0" + DIGITS + "d").formatted(number);
  }

  /** Forces the names in a directory to disk, where the platform opens directories. */
  private static void sync(Path folder) throws IOException {
    if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
        names.force(true);
      }
    }
  }
}
