package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.zip.CRC32C;

/*
 * Idea: a file of lines, each all that is noted of one job; the last line of a job counts. It is
 *   written again, whole, when it is opened and once in a while.
 * Invariants: what write has returned from is on the disk. A last line that was cut off had nobody
 *   acting on it, and is dropped; any other line that does not read is refused. NotesTest.
 * Cost: a write is a line for each note and one wait for the disk.
 * Rejected: the header of a journal, which is written once in a thousand events, while a note has
 *   to be durable before the next command.
 */
/** The notes of all jobs, and the file in which they outlive the process. Thread-safe. */
final class Notes implements AutoCloseable {
  static final String FILE = "notes";

  private final Path path;
  private final Map<JobId, JobNote> notes = new LinkedHashMap<>();
  private final Map<JobId, JobId> jobs = new HashMap<>();
  private FileChannel file;

  private Notes(Path path) throws IOException {
    this.path = path;
    read();
    file = rewritten();
  }

  /**
   * Opens the notes of a directory.
   *
   * @throws UncheckedIOException if they cannot be read or written
   * @throws IllegalStateException if a line is corrupt
   */
  static Notes open(Path folder) {
    try {
      return new Notes(folder.resolve(FILE));
    } catch (IOException e) {
      throw new UncheckedIOException("the notes in '%s' cannot be opened".formatted(folder), e);
    }
  }

  private void read() throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    String text = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Optional<JobNote> note = NoteLine.read(lines.get(i));
      if (note.isPresent()) {
        keep(note.get());
      } else if (i < lines.size() - 1 || text.endsWith("\n")) {
        throw new IllegalStateException(
            "each line of notes must be as it was written, but line %d of '%s' is not"
                .formatted(i + 1, path));
      }
    }
  }

  private void keep(JobNote note) {
    notes.put(note.job(), note);
    jobs.put(note.own(), note.job());
  }

  /** Returns what is noted of a job, by the manager's id. */
  synchronized JobNote of(JobId job) {
    return notes.getOrDefault(job, new JobNote(job));
  }

  /** Returns the manager's id of a job, by its id in the scheduler. */
  synchronized JobId byOwnId(JobId own) {
    return jobs.getOrDefault(own, own);
  }

  /**
   * Keeps notes, durably.
   *
   * @throws UncheckedIOException if they cannot be written
   */
  synchronized void write(Collection<JobNote> some) {
    StringBuilder lines = new StringBuilder();
    for (JobNote note : some) {
      if (!note.equals(notes.get(note.job()))) {
        lines.append(NoteLine.write(note)).append('\n');
      }
    }
    if (lines.isEmpty()) {
      return;
    }
    try {
      appendWhole(lines.toString());
    } catch (IOException e) {
      throw new UncheckedIOException("notes cannot be written to '%s'".formatted(path), e);
    }
    some.forEach(this::keep);
  }

  /** A full disk may take a part of a line, behind which no other must come. */
  private void appendWhole(String lines) throws IOException {
    long end = file.position();
    try {
      append(file, lines);
    } catch (IOException e) {
      try {
        file.truncate(end);
      } catch (IOException torn) {
        e.addSuppressed(torn);
      }
      throw e;
    }
  }

  /**
   * Drops the notes of some jobs, and writes the file again.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  synchronized void drop(Predicate<JobId> job) {
    notes.keySet().removeIf(job);
    jobs.values().removeIf(job);
    try {
      FileChannel before = file;
      file = rewritten();
      before.close();
    } catch (IOException e) {
      throw new UncheckedIOException("notes cannot be written to '%s'".formatted(path), e);
    }
  }

  private FileChannel rewritten() throws IOException {
    Path next = path.resolveSibling(FILE + ".unfinished");
    StringBuilder lines = new StringBuilder();
    notes.values().forEach(note -> lines.append(NoteLine.write(note)).append('\n'));
    Files.deleteIfExists(next);
    FileChannel channel =
        FileChannel.open(next, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    boolean isWhole = false;
    try {
      append(channel, lines.toString());
      Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
      sync(path.resolveSibling("."));
      isWhole = true;
      return channel;
    } finally {
      if (!isWhole) {
        channel.close();
      }
    }
  }

  private static void append(FileChannel channel, String lines) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    channel.force(true);
  }

  /** Forces the names in a directory to disk, where the platform opens directories. */
  private static void sync(Path folder) throws IOException {
    if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
        names.force(true);
      }
    }
  }

  @Override
  public synchronized void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException("notes cannot be closed", e);
    }
  }

  /**
   * A note as a line of text: fields between spaces, each encoded as in a URL, and a check sum. A
   * field that is not there is a hyphen.
   */
  static final class NoteLine {
    private static final String NONE = "-";
    private static final int FIELDS = 12;

    private NoteLine() {}

    static String write(JobNote note) {
      List<String> fields = new ArrayList<>();
      fields.add(note.job().value());
      fields.add(note.own().value());
      fields.add(note.began().map(at -> "" + at.attempt()).orElse(""));
      fields.add(note.began().map(NoteLine::nodes).orElse(""));
      fields.add(note.began().map(JobNote.Began::epoch).orElse(""));
      fields.add(note.ended().map(at -> "" + at.attempt()).orElse(""));
      fields.add(note.ended().map(at -> at.how().name()).orElse(""));
      fields.add(note.moved().isPresent() ? "" + note.moved().getAsInt() : "");
      fields.add(note.told().map(at -> "" + at.attempt()).orElse(""));
      fields.add(note.told().map(JobNote.Told::text).orElse(""));
      fields.add(note.told().map(JobNote.Told::epoch).orElse(""));
      fields.add(note.submitted().map(Instant::toString).orElse(""));
      String line = String.join(" ", fields.stream().map(NoteLine::encoded).toList());
      return line + " " + checksum(line);
    }

    private static String nodes(JobNote.Began began) {
      return String.join(",", began.on().stream().map(node -> encoded(node.value())).toList());
    }

    private static String encoded(String field) {
      return field.isEmpty()
          ? NONE
          : URLEncoder.encode(field, StandardCharsets.UTF_8).replace(NONE, "%2D");
    }

    /** Returns the note; empty if the line is not whole. */
    static Optional<JobNote> read(String line) {
      int end = line.lastIndexOf(' ');
      if (end < 0 || !checksum(line.substring(0, end)).equals(line.substring(end + 1))) {
        return Optional.empty();
      }
      String[] fields =
          Arrays.stream(line.substring(0, end).split(" "))
              .map(NoteLine::decoded)
              .toArray(String[]::new);
      return fields.length == FIELDS ? Optional.of(note(fields)) : Optional.empty();
    }

    private static JobNote note(String[] fields) {
      return new JobNote(
          JobId.of(fields[0]),
          JobId.of(fields[1]),
          Optional.of(fields[11]).filter(at -> !at.isEmpty()).map(Instant::parse),
          number(fields[2]).map(attempt -> new JobNote.Began(attempt, nodes(fields[3]), fields[4])),
          number(fields[5])
              .map(attempt -> new JobNote.Ended(attempt, ObservedState.Outcome.valueOf(fields[6]))),
          number(fields[7]).map(OptionalInt::of).orElseGet(OptionalInt::empty),
          number(fields[8]).map(attempt -> new JobNote.Told(attempt, fields[9], fields[10])));
    }

    private static List<NodeId> nodes(String field) {
      return field.isEmpty()
          ? List.of()
          : Arrays.stream(field.split(",")).map(NoteLine::decoded).map(NodeId::of).toList();
    }

    private static Optional<Integer> number(String field) {
      return field.isEmpty() ? Optional.empty() : Optional.of(Integer.valueOf(field));
    }

    private static String decoded(String field) {
      return field.equals(NONE) ? "" : URLDecoder.decode(field, StandardCharsets.UTF_8);
    }

    private static String checksum(String line) {
      CRC32C sum = new CRC32C();
      sum.update(line.getBytes(StandardCharsets.UTF_8));
      return "%08x".formatted(sum.getValue());
    }
  }
}
