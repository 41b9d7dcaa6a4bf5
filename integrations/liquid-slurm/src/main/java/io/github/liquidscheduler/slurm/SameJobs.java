package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.slurm.JobLine.Column;
import io.github.liquidscheduler.slurm.process.CommandRunner;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether jobs are still those that were observed. A slurmctld that was killed gives ids
 * again that it has forgotten, and a command decided for one job would reach another. The jobs are
 * listed once, when that is asked first. Thread-safe.
 */
final class SameJobs {
  private static final String NOT_SHOWN = "Slurm does not show it";

  private final CommandRunner runner;
  private final Map<String, ListedJob> observed;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Map<String, String> submitted;
  private @Nullable IOException failure;

  /**
   * Makes one for commands that are carried out together.
   *
   * @param observed the jobs that were observed when the commands were decided, by their ids
   */
  SameJobs(CommandRunner runner, Map<String, ListedJob> observed) {
    this.runner = runner;
    this.observed = observed;
  }

  /**
   * Returns why a job is not the one that was observed; empty if it is, or none was.
   *
   * @throws IOException if Slurm does not list its jobs
   */
  Optional<String> refusal(String id) throws IOException {
    if (!observed.containsKey(id)) {
      return Optional.empty();
    }
    @Nullable String now = submitted().get(id);
    return now == null ? Optional.of(NOT_SHOWN) : refusal(id, now);
  }

  /** Returns why a job that was submitted at a time, in Slurm's words, is not the one observed. */
  Optional<String> refusal(String id, String submittedAt) {
    @Nullable ListedJob before = observed.get(id);
    return before == null || before.text(Column.SUBMITTED).equals(submittedAt)
        ? Optional.empty()
        : Optional.of(
            "it was submitted at %s, and the job of this id that was observed at %s"
                .formatted(submittedAt, before.text(Column.SUBMITTED)));
  }

  private Map<String, String> submitted() throws IOException {
    lock.lock();
    try {
      if (failure != null) {
        throw new IOException(failure.getMessage(), failure);
      }
      if (submitted == null) {
        submitted = read();
      }
      return submitted;
    } catch (IOException e) {
      failure = e;
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private Map<String, String> read() throws IOException {
    Map<String, String> read = new HashMap<>();
    for (JobLine line : JobListing.lines(runner)) {
      read.put(line.id(), line.text(Column.SUBMITTED));
    }
    return read;
  }
}
