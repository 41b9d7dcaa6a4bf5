package io.github.liquidscheduler.scheduler.ended;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The ended jobs, up to a limit; the oldest are forgotten first.
 *
 * <p>Copies share earlier history in immutable layers. A copy freezes the endings since the last
 * copy into a new layer and merges layers less than twice as large, so there are O(log n) layers
 * and a copy costs O(m log n) for m new endings. Endings are numbered, so layers may hold forgotten
 * ones.
 */
public final class EndedJobs {

  /** The longest reason that is kept, in code points. */
  private static final int LONGEST = 1000;

  private final int most;
  private final List<EndingLog> frozen = new ArrayList<>();
  private EndingLog recent;
  private long count;

  private record Ending(EndingLog log, long number) {}

  /** Makes a history of at most {@code most} jobs. */
  public EndedJobs(int most) {
    this(most, 0);
  }

  private EndedJobs(int most, long count) {
    this.most = most;
    this.count = count;
    recent = new EndingLog(count);
  }

  /** Returns a number of jobs to remember; throws {@link IllegalArgumentException} below 0. */
  public static int requireCount(int jobs) {
    if (jobs < 0) {
      throw new IllegalArgumentException(
          "the number of ended jobs to remember must not be negative, but was " + jobs);
    }
    return jobs;
  }

  /** Returns an independent copy. */
  public EndedJobs copy() {
    freeze();
    EndedJobs copy = new EndedJobs(most, count);
    copy.frozen.addAll(frozen);
    return copy;
  }

  /** Records an ended job. */
  public void add(JobId job, Outcome how) {
    recent.add(job, how);
    count++;
  }

  /** Records why a job was rejected that has ended since the last copy, if it is remembered. */
  public void because(JobId job, String why) {
    long number = recent.find(job, oldest());
    if (number >= 0) {
      recent.because(number, Text.line(why, LONGEST));
    }
  }

  /** Returns why a job was rejected, if it was and is remembered. */
  public Optional<String> why(JobId job) {
    return find(job).flatMap(ending -> ending.log.why(ending.number));
  }

  /** Forgets endings beyond the limit, once no turn can return to them. */
  public void settle() {
    if (recent.size() >= most) {
      frozen.clear();
    }
    while (recent.size() > most) {
      recent.removeOldest();
    }
  }

  /** Returns the number of ended jobs, forgotten ones included. */
  public long count() {
    return count;
  }

  /** Forgets all endings but the first {@code endings}; none was settled or copied since. */
  public void rollBackTo(long endings) {
    recent.removeFrom(endings);
    count = endings;
  }

  /** Returns the outcome of a job, if it ended and is remembered. */
  public Optional<Outcome> ending(JobId job) {
    return find(job).map(ending -> ending.log.outcome(ending.number));
  }

  private Optional<Ending> find(JobId job) {
    EndingLog log = recent;
    long number = log.find(job, oldest());
    for (int layer = frozen.size() - 1; number < 0 && layer >= 0; layer--) {
      log = frozen.get(layer);
      number = log.find(job, oldest());
    }
    return number < 0 ? Optional.empty() : Optional.of(new Ending(log, number));
  }

  /** Passes the remembered jobs to a visitor, oldest first. */
  public void forEach(BiConsumer<JobId, Outcome> visitor) {
    frozen.forEach(layer -> show(layer, visitor));
    show(recent, visitor);
  }

  private void show(EndingLog layer, BiConsumer<JobId, Outcome> visitor) {
    for (long number = Math.max(layer.first(), oldest()); number < layer.end(); number++) {
      visitor.accept(layer.job(number), layer.outcome(number));
    }
  }

  /** Returns the number of the oldest remembered ending. */
  private long oldest() {
    return Math.max(0, count - most);
  }

  private void freeze() {
    if (recent.size() == 0) {
      return;
    }
    while (!frozen.isEmpty() && frozen.getLast().size() < 2 * recent.size()) {
      recent = EndingLog.merged(frozen.removeLast(), recent, oldest());
    }
    frozen.add(recent);
    recent = new EndingLog(count);
  }
}
