package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  /** How a job ended, as the how manieth. */
  private record Ending(Outcome how, long number) {}

  private final int most;
  private final List<Map<JobId, Ending>> frozen = new ArrayList<>();
  private Map<JobId, Ending> recent = new LinkedHashMap<>();
  private long count;

  /** Makes a history that remembers so many jobs at most. */
  EndedJobs(int most) {
    this.most = most;
  }

  /** Returns a history equal to this one that goes its own way from here. */
  EndedJobs copy() {
    freeze();
    EndedJobs copy = new EndedJobs(most);
    copy.frozen.addAll(frozen);
    copy.count = count;
    return copy;
  }

  /** Notes that a job is over. */
  public void add(JobId job, Outcome how) {
    recent.put(job, new Ending(how, count++));
  }

  /** Forgets the endings that are too many, once no turn can go back behind them. */
  void settle() {
    if (recent.size() >= most) {
      frozen.clear();
    }
    Iterator<JobId> oldest = recent.keySet().iterator();
    for (int tooMany = recent.size() - most; tooMany > 0; tooMany--) {
      oldest.next();
      oldest.remove();
    }
  }

  /** Returns how many jobs have ended, forgotten ones included. */
  long count() {
    return count;
  }

  /** Returns a history of the first {@code endings} of these, none of which was settled since. */
  EndedJobs asOf(long endings) {
    recent.values().removeIf(ending -> ending.number() >= endings);
    EndedJobs then = copy();
    then.count = endings;
    return then;
  }

  /** Returns how a job ended, if it did and is remembered. */
  public Optional<Outcome> ending(JobId job) {
    Ending ending = recent.get(job);
    for (int layer = frozen.size() - 1; ending == null && layer >= 0; layer--) {
      ending = frozen.get(layer).get(job);
    }
    return Optional.ofNullable(ending).filter(this::isRemembered).map(Ending::how);
  }

  /** Shows the jobs remembered, the oldest first. */
  public void forEach(BiConsumer<JobId, Outcome> visitor) {
    frozen.forEach(layer -> show(layer, visitor));
    show(recent, visitor);
  }

  private void show(Map<JobId, Ending> layer, BiConsumer<JobId, Outcome> visitor) {
    layer.forEach(
        (job, ending) -> {
          if (isRemembered(ending)) {
            visitor.accept(job, ending.how());
          }
        });
  }

  private boolean isRemembered(Ending ending) {
    return ending.number() >= count - most;
  }

  private void freeze() {
    if (recent.isEmpty()) {
      return;
    }
    while (!frozen.isEmpty() && frozen.getLast().size() < 2 * recent.size()) {
      Map<JobId, Ending> merged = new LinkedHashMap<>(frozen.removeLast());
      merged.values().removeIf(ending -> !isRemembered(ending));
      merged.putAll(recent);
      recent = merged;
    }
    frozen.add(recent);
    recent = new LinkedHashMap<>();
  }
}
