package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.WorkerId;
import java.util.List;
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

  /** Copies the lists. */
  public TopologyEpoch {
    members = List.copyOf(members);
    receivers = List.copyOf(receivers);
  }

  /** Returns true if a worker trains in it. */
  public boolean has(WorkerId worker) {
    return members.contains(worker);
  }
}
