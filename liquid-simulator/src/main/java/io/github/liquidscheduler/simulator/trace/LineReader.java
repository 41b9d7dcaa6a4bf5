package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reads traces of which each job stands for itself, so that none need be held to read others. */
interface LineReader extends TraceReader {

  /**
   * Begins to read bytes that the caller closes.
   *
   * @throws InputFormatException if they do not begin as they should
   */
  Lines begin(String source, InputStream bytes);

  /** The rest of a trace. */
  interface Lines {
    /** Adds the next record, which may be no job; returns true if there was one. */
    boolean addNext(LoggedJobs jobs);

    /** Returns the lines of a text, each of which {@code add} may add as a job. */
    static Lines of(Rows rows, BiConsumer<LoggedJobs, Row> add) {
      return jobs -> {
        @Nullable Row row = rows.next();
        if (row != null) {
          add.accept(jobs, row);
        }
        return row != null;
      };
    }
  }

  @Override
  default Trace read(String source, InputStream bytes) {
    LoggedJobs jobs = LoggedJobs.held(source);
    readAll(source, bytes, jobs);
    return jobs.trace();
  }

  /** Adds all jobs to {@code jobs}. */
  default void readAll(String source, InputStream bytes, LoggedJobs jobs) {
    Lines lines = begin(source, bytes);
    while (lines.addNext(jobs)) {}
  }

  /** A pipe or the like, which can be read once only. */
  @Override
  default TraceSource open(Path file) {
    Optional<TraceSource> opened =
        Files.isRegularFile(file) ? StreamedTrace.open(this, file) : Optional.empty();
    return opened.orElseGet(() -> read(file));
  }
}
