package io.github.liquidscheduler.simulator.trace;

import com.google.common.hash.Hashing;
import com.google.common.primitives.ImmutableLongArray;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.SourceFile;
import io.github.liquidscheduler.text.Count;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A trace in an ordered file. It is read once to check it, count its jobs and find its start, then
 * once per iteration. Nothing is held but, during the check, 16 bytes per id.
 */
final class StreamedTrace implements TraceSource {

  private final LineReader reader;
  private final Path file;
  private final LoggedJobs checked;
  private final boolean tellsDurations;
  private final TraceJob last;
  private final UnaryOperator<TraceJob> change;

  private StreamedTrace(
      LineReader reader,
      Path file,
      LoggedJobs checked,
      boolean tellsDurations,
      TraceJob last,
      UnaryOperator<TraceJob> change) {
    this.reader = reader;
    this.file = file;
    this.checked = checked;
    this.tellsDurations = tellsDurations;
    this.last = last;
    this.change = change;
  }

  /**
   * Opens a file; empty if it has to be held: not in order, in pieces, or of ids that may be equal.
   */
  static Optional<TraceSource> open(LineReader reader, Path file) {
    Seen seen = new Seen();
    LoggedJobs jobs = new LoggedJobs(file.toString(), seen);
    SourceFile.read(
        file,
        (source, bytes) -> {
          reader.readAll(source, bytes, jobs);
          return jobs;
        });
    LoggedJobs.@Nullable Logged latest = seen.latest;
    if (latest == null || !jobs.areInOrder() || !jobs.mayBeStreamed() || !seen.areDistinct()) {
      return Optional.empty();
    }
    TraceJob last = jobs.counted(latest);
    return Optional.of(new StreamedTrace(reader, file, jobs, seen.tellDurations, last, job -> job));
  }

  @Override
  public String source() {
    return checked.source();
  }

  @Override
  public Instant start() {
    return checked.start();
  }

  @Override
  public int size() {
    return checked.jobs();
  }

  @Override
  public List<TraceWarning> warnings() {
    return checked.warnings();
  }

  @Override
  public boolean tellsDurations() {
    return tellsDurations;
  }

  @Override
  public TraceSource withLoad(double factor) {
    Trace.requireLoad(factor);
    // Refuses a factor that makes it come too late.
    TraceJob lastThen = Trace.compressed(last, factor);
    return new StreamedTrace(
        reader,
        file,
        checked,
        tellsDurations,
        lastThen,
        job -> Trace.compressed(change.apply(job), factor));
  }

  @Override
  public JobStream stream() {
    return new Reading();
  }

  @Override
  public String toString() {
    return source() + " (" + Count.of(size(), "job") + ")";
  }

  private final class Reading implements JobStream {
    private final InputStream bytes = SourceFile.open(file);
    private final LineReader.Lines lines = reader.begin(source(), bytes);
    private final LoggedJobs jobs = new LoggedJobs(source(), logged -> next = logged);
    private LoggedJobs.@Nullable Logged next;

    @Override
    public @Nullable TraceJob next() {
      next = null;
      while (next == null && lines.addNext(jobs)) {}
      if (!jobs.areInOrder() || jobs.jobs() > size() || (next == null && jobs.jobs() < size())) {
        throw new InputFormatException(
            source() + ": the file must stay as it is while it is read, but has changed");
      }
      return next == null ? null : change.apply(checked.counted(next));
    }

    @Override
    public void close() {
      try {
        bytes.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * The jobs of a file seen so far. Detects repeated ids by 64-bit hashes; rarely it reports
   * distinct ids as repeated.
   */
  private static final class Seen implements Consumer<LoggedJobs.Logged> {

    private final ImmutableLongArray.Builder hashes = ImmutableLongArray.builder();
    private boolean tellDurations = true;
    private LoggedJobs.@Nullable Logged latest;

    @Override
    public void accept(LoggedJobs.Logged logged) {
      hashes.add(Hashing.farmHashFingerprint64().hashUnencodedChars(logged.job().id()).asLong());
      tellDurations &= logged.job().hasDuration();
      latest = logged;
    }

    boolean areDistinct() {
      long[] sorted = hashes.build().toArray();
      Arrays.sort(sorted);
      return IntStream.range(1, sorted.length).noneMatch(i -> sorted[i] == sorted[i - 1]);
    }
  }
}
