package io.github.liquidscheduler.lab.domains;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Equal tasks that are placed together, all or none.
 *
 * @param tasks the number of tasks, at least 1
 * @param perTask the amounts each takes, by resource
 * @param leader the amounts of one more task, the leader, placed in a domain with some of them;
 *     empty if there is none
 */
public record TaskGroup(int tasks, Map<String, Long> perTask, Optional<Map<String, Long>> leader) {

  /**
   * Copies the amounts.
   *
   * @throws IllegalArgumentException if there is no task
   */
  public TaskGroup {
    if (tasks < 1) {
      throw new IllegalArgumentException("a group must have at least 1 task, but had " + tasks);
    }
    perTask = copy(perTask);
    leader = leader.map(TaskGroup::copy);
  }

  /** Returns a group without a leader. */
  public static TaskGroup of(int tasks, Map<String, Long> perTask) {
    return new TaskGroup(tasks, perTask, Optional.empty());
  }

  private static Map<String, Long> copy(Map<String, Long> amounts) {
    return Collections.unmodifiableMap(new TreeMap<>(amounts));
  }
}
