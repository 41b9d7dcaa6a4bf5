package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.WorkerId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The workers that train together. Numbers are given once: no two leaders ever give the same one.
 *
 * @param number ascending, from 1
 * @param members in the order of their ranks
 * @param broadcaster who sends the model to those who lack it, or null if nobody does
 * @param receivers those who lack it
 */
public record TopologyEpoch(
    long number, List<WorkerId> members, @Nullable WorkerId broadcaster, List<WorkerId> receivers) {

  /** Copies the lists; refuses numbers that cannot be, and who is no member or is one twice. */
  public TopologyEpoch {
    members = List.copyOf(members);
    receivers = List.copyOf(receivers);
    if (number < 1 || number > Long.MAX_VALUE / 2) {
      throw new IllegalArgumentException(
          "the number of a topology must be from 1 to 2^62, but was " + number);
    }
    Set<WorkerId> distinct = new HashSet<>(members);
    if (distinct.size() < members.size()
        || !distinct.containsAll(receivers)
        || (broadcaster != null && !distinct.contains(broadcaster))) {
      throw new IllegalArgumentException(
          "topology %d must name each member once, and nobody else".formatted(number));
    }
  }

  /** Returns true if a worker trains in it. */
  public boolean has(WorkerId worker) {
    return members.contains(worker);
  }
}
