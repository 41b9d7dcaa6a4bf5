package io.github.liquidscheduler.simulator.trace;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Names the roles of a job, of which no two are called the same, whatever a trace says. Mutable.
 */
final class RoleNames {

  private final Set<String> taken = new LinkedHashSet<>();

  /**
   * Takes a name.
   *
   * @param wanted the name
   * @param number what is appended if the name is taken; the next one that is free
   */
  String take(String wanted, int number) {
    String name = wanted;
    for (int next = number; !taken.add(name); next++) {
      name = wanted + "-" + next;
    }
    return name;
  }
}
