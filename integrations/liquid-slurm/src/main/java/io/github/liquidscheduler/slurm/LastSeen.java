package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.reconcile.ObservedJob;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The jobs as they were last observed, and for a while those that are gone since. */
final class LastSeen {

  private static final int MOST_GONE = 10_000;

  private Map<JobId, ObservedJob> shown = new HashMap<>();
  private final Map<JobId, ObservedJob> gone = new HashMap<>();
  private final Deque<JobId> order = new ArrayDeque<>();

  void see(List<ObservedJob> jobs) {
    Map<JobId, ObservedJob> now = new HashMap<>();
    for (ObservedJob job : jobs) {
      now.put(job.id(), job);
      gone.remove(job.id());
    }
    for (ObservedJob before : shown.values()) {
      if (!now.containsKey(before.id()) && gone.put(before.id(), before) == null) {
        order.add(before.id());
      }
    }
    while (order.size() > MOST_GONE) {
      gone.remove(order.remove());
    }
    shown = now;
  }

  Optional<ObservedJob> find(JobId job) {
    return Optional.ofNullable(shown.getOrDefault(job, gone.get(job)));
  }
}
