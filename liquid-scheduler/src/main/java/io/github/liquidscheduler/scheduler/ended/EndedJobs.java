package io.github.liquidscheduler.scheduler.ended;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The jobs that are over: as many as may be remembered, the oldest forgotten first.
 *
 * <p>Copies share what ended before them, in layers that never change. A copy freezes what has
 * ended since the last one into a new layer, and merges it with the layers before it that are not
 * twice as large; so there are few layers, and a copy costs what has ended since the last one,
 * times a logarithm. Endings are numbered, so that a layer may hold some that are forgotten by now.
 */
public final class EndedJobs {

  private final int most;
  private final List<EndingLog> frozen = new ArrayList<>();
  private EndingLog recent;
  private long count;

  /** Makes a history that remembers so many jobs at most. */
  public EndedJobs(int most) {
    this(most, 0);
  }

  private EndedJobs(int most, long count) {
    this.most = most;
    this.count = count;
    recent = new EndingLog(count);
  }

  /** Returns a history equal to this one that goes its own way from here. */
  public EndedJobs copy() {
    freeze();
    EndedJobs copy = new EndedJobs(most, count);
    copy.frozen.addAll(frozen);
    return copy;
  }

  /** Notes that a job is over. */
  public void add(JobId job, Outcome how) {
    recent.add(job, how);
    count++;
  }

  /** Forgets the endings that are too many, once no turn can go back behind them. */
  public void settle() {
    if (recent.size() >= most) {
      frozen.clear();
    }
    while (recent.size() > most) {
      recent.removeOldest();
    }
  }

  /** Returns how many jobs have ended, forgotten ones included. */
  public long count() {
    return count;
  }

  /**
   * Returns a history of the first {@code endings} of these, none of which was settled since; this
   * one is not to be used any more.
   */
  public EndedJobs asOf(long endings) {
    recent.removeFrom(endings);
    long all = count;
    count = endings; // nothing is forgotten on the way that was remembered then
    EndedJobs then = copy();
    count = all;
    return then;
  }

  /** Returns how a job ended, if it did and is remembered. */
  public Optional<Outcome> ending(JobId job) {
    EndingLog log = recent;
    long number = log.find(job, oldest());
    for (int layer = frozen.size() - 1; number < 0 && layer >= 0; layer--) {
      log = frozen.get(layer);
      number = log.find(job, oldest());
    }
    return number < 0 ? Optional.empty() : Optional.of(log.outcome(number));
  }

  /** Shows the jobs remembered, the oldest first. */
  public void forEach(BiConsumer<JobId, Outcome> visitor) {
    frozen.forEach(layer -> show(layer, visitor));
    show(recent, visitor);
  }

  private void show(EndingLog layer, BiConsumer<JobId, Outcome> visitor) {
    for (long number = Math.max(layer.first(), oldest()); number < layer.end(); number++) {
      visitor.accept(layer.job(number), layer.outcome(number));
    }
  }

  /** Returns the number of the oldest ending that is remembered. */
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
