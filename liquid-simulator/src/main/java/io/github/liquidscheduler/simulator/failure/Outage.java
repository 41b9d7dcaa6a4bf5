package io.github.liquidscheduler.simulator.failure;

import io.github.liquidscheduler.cluster.NodeId;
import java.time.Duration;
import java.util.Objects;

/** A time, from the start of the trace, for which a node takes no tasks. */
public record Outage(NodeId node, Duration from, Duration until) {

  /**
   * Checks the order of times.
   *
   * @throws IllegalArgumentException if {@code until} is before {@code from}
   */
  public Outage {
    Objects.requireNonNull(node, "node");
    if (until.compareTo(from) < 0) {
      throw new IllegalArgumentException(
          "an outage must not end before it begins, but was from %s until %s, for node '%s'"
              .formatted(from, until, node));
    }
  }
}
