package io.github.liquidscheduler.placement.timeline;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskRole;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * Idea: how many tasks of a number of whole GPUs fit over time, summed over nodes, is an
 *   upper bound that rules out most starts of a gang without a look at any node.
 * Invariants: never fewer than fit: shared GPUs, lost ones, nodes that are down and all other
 *   resources do not count. PlacementTimelineLaws.
 * Cost: a hold or release O(steps of its nodes + steps of the sum) for each number of GPUs that was
 *   ever asked about, a question O(steps), the first one for a number O(steps of all nodes).
 */
/** The tasks of whole GPUs that may be placed over time. Mutable. */
final class FreeTasks {

  private final ClusterTopology topology;
  // The free whole GPUs of each node that was ever held, by its position. Never iterated in order.
  private final Map<Integer, FreeProfile> nodes = new HashMap<>();
  // The tasks that fit, by the GPUs that were asked about.
  private final SortedMap<Integer, FreeProfile> tasks = new TreeMap<>();
  private long now = Long.MIN_VALUE;

  FreeTasks(ClusterTopology topology) {
    this.topology = topology;
  }

  /** Forgets the time before an instant. */
  void advanceTo(long instant) {
    now = instant;
    tasks.values().forEach(each -> each.forgetBefore(instant));
  }

  /**
   * Takes the whole GPUs of a placement during a window, or gives them back.
   *
   * @param sign -1 to take them, 1 to give them back
   */
  void add(Placement placement, TimeWindow window, int sign) {
    SortedMap<Integer, Integer> gpus = new TreeMap<>();
    for (TaskPlacement task : placement.tasks()) {
      if (task.share().isWhole() && !task.gpus().isEmpty()) {
        gpus.merge(topology.position(task.node()), task.gpus().size(), Integer::sum);
      }
    }
    Map<Integer, SortedMap<Long, Long>> changes = new HashMap<>();
    tasks.keySet().forEach(size -> changes.put(size, new TreeMap<>()));
    gpus.forEach((node, count) -> add(node, window, sign * count, changes));
    changes.forEach((size, more) -> addTo(Objects.requireNonNull(tasks.get(size)), more));
  }

  private void add(
      int node, TimeWindow window, int more, Map<Integer, SortedMap<Long, Long>> changes) {
    FreeProfile free = nodes.computeIfAbsent(node, this::profileOf);
    free.forgetBefore(now);
    changes.forEach(
        (size, of) ->
            free.forEachStep(
                window,
                (from, until, gpus) ->
                    note(of, from, until, fitting(gpus + more, size) - fitting(gpus, size))));
    free.add(window, more);
  }

  private static void note(SortedMap<Long, Long> changes, long from, long until, long more) {
    if (more != 0) {
      changes.merge(from, more, Long::sum);
      if (until < TimeWindow.FOREVER) {
        changes.merge(until, -more, Long::sum);
      }
    }
  }

  private static void addTo(FreeProfile profile, SortedMap<Long, Long> changes) {
    changes.values().removeIf(more -> more == 0);
    if (!changes.isEmpty()) {
      profile.addFrom(changes);
    }
  }

  private FreeProfile profileOf(int node) {
    return new FreeProfile(topology.nodes().get(node).gpus().size());
  }

  private static long fitting(long gpus, int size) {
    return Math.max(0, gpus) / size;
  }

  private FreeProfile tasksOf(int size) {
    return tasks.computeIfAbsent(size, this::sum);
  }

  private FreeProfile sum(int size) {
    long all = 0;
    for (int node = 0; node < topology.nodes().size(); node++) {
      all += topology.nodes().get(node).gpus().size() / size;
    }
    FreeProfile sum = new FreeProfile(all);
    sum.forgetBefore(now);
    SortedMap<Long, Long> changes = new TreeMap<>();
    nodes.forEach(
        (node, free) ->
            free.forEachStep(
                new TimeWindow(now, TimeWindow.FOREVER),
                (from, until, gpus) ->
                    note(
                        changes,
                        Math.max(now, from),
                        until,
                        fitting(gpus, size) - fitting(free.amount(), size))));
    addTo(sum, changes);
    return sum;
  }

  /**
   * Returns the first instant, {@code from} or later, from which a gang is not known to find too
   * few GPUs for a length of time; {@link TimeWindow#FOREVER} if there is none.
   */
  long soonest(JobSpec job, long length, long from) {
    if (!(job.sharing() instanceof Sharing.Exclusive)) {
      return from;
    }
    SortedMap<Integer, Long> needed = needed(job.atLeastSize());
    long start = from;
    long before;
    do {
      before = start;
      for (Map.Entry<Integer, Long> each : needed.entrySet()) {
        start = tasksOf(each.getKey()).earliest(start, length, each.getValue());
        if (start == TimeWindow.FOREVER) {
          return start;
        }
      }
    } while (start != before);
    return start;
  }

  /** Returns true if too few GPUs are free at an instant for a gang of its full size. */
  boolean areFewFor(JobSpec job, long instant) {
    @Nullable Long all = needed(job).get(1);
    return job.sharing() instanceof Sharing.Exclusive
        && all != null
        && all > tasksOf(1).at(instant);
  }

  /**
   * Returns false if no task of a gang fits on a node for a length of time that begins in a range.
   */
  boolean mayHoldAny(JobSpec job, int node, long length, long from, long latest) {
    if (!(job.sharing() instanceof Sharing.Exclusive)) {
      return true;
    }
    FreeProfile free = nodes.computeIfAbsent(node, this::profileOf);
    for (TaskRole role : job.roles()) {
      boolean isWhole = role.request().share().isEmpty() && role.request().gpus() > 0;
      if (!isWhole || free.earliest(Math.max(now, from), length, role.request().gpus()) <= latest) {
        return true;
      }
    }
    return false;
  }

  /** Returns the tasks that must fit, by their GPUs. */
  private static SortedMap<Integer, Long> needed(JobSpec job) {
    SortedMap<Integer, Long> needed = new TreeMap<>();
    for (TaskRole role : job.roles()) {
      int gpus = role.request().gpus();
      if (role.request().share().isEmpty() && gpus > 0) {
        needed.merge(1, (long) role.count() * gpus, Long::sum);
        if (gpus > 1) {
          needed.merge(gpus, (long) role.count(), Long::sum);
        }
      }
    }
    return needed;
  }
}
