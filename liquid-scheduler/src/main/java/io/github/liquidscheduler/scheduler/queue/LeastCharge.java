package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.quota.Charge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The least amount of each resource that any job of a changing set charges. A function of the set
 * alone, whatever it was before, since what a pass leaves on the agenda depends on it. O(log jobs)
 * for each change.
 */
final class LeastCharge {

  // Never iterated.
  private final Map<JobEntry, Charge> counted = new HashMap<>();
  private final Set<JobEntry> added = new LinkedHashSet<>();
  // By resource: how many jobs charge each amount.
  private final List<NavigableMap<Long, Integer>> amounts = new ArrayList<>();

  /** Notes an added job. */
  void add(JobEntry job) {
    added.add(job);
  }

  /** Notes a removed job. */
  void remove(JobEntry job) {
    added.remove(job);
    @Nullable Charge charge = counted.remove(job);
    if (charge != null) {
      count(charge, -1);
    }
  }

  /**
   * Returns the least amounts; there must be a job.
   *
   * @param charges the charge of a job, always the same
   */
  Charge of(Function<JobEntry, Charge> charges) {
    for (JobEntry job : added) {
      Charge charge = charges.apply(job);
      counted.put(job, charge);
      count(charge, 1);
    }
    added.clear();
    return Charge.of(amounts.stream().map(NavigableMap::firstKey).toList());
  }

  private void count(Charge charge, int more) {
    List<Long> each = charge.toList();
    for (int resource = 0; resource < each.size(); resource++) {
      if (amounts.size() == resource) {
        amounts.add(new TreeMap<>());
      }
      amounts
          .get(resource)
          .merge(each.get(resource), more, (old, by) -> old + by == 0 ? null : old + by);
    }
  }
}
