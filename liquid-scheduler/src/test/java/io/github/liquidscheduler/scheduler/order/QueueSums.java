package io.github.liquidscheduler.scheduler.order;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What ordinary units hold in each queue, descendants included. Mutable. */
final class QueueSums {

  // Never iterated.
  private final Map<Integer, long[]> held = new HashMap<>();

  QueueSums(Collection<TakingUnit> running) {
    running.forEach(unit -> add(unit, 1));
  }

  /** Adds {@code times} times a unit to its queue and all ancestors. */
  void add(TakingUnit unit, int times) {
    if (!unit.isOrdinary()) {
      return;
    }
    Amounts amounts = unit.amounts();
    for (@Nullable TurnQueue queue = unit.queue(); queue != null; queue = queue.parent()) {
      long[] sum = held.computeIfAbsent(queue.index(), any -> new long[amounts.resources()]);
      for (int resource = 0; resource < sum.length; resource++) {
        sum[resource] += times * amounts.get(resource);
      }
    }
  }

  long held(TurnQueue queue, int resource) {
    long[] sum = held.get(queue.index());
    return sum == null ? 0 : sum[resource];
  }
}
