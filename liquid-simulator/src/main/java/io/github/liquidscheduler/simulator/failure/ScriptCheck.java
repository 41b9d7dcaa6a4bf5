package io.github.liquidscheduler.simulator.failure;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.simulator.ledger.ClusterHealth;
import java.time.Instant;

/** Follows a failure script and refuses an event that cannot happen. */
final class ScriptCheck {

  private final ClusterHealth health;
  private Instant last = Instant.EPOCH;

  ScriptCheck(ClusterTopology topology) {
    health = new ClusterHealth(topology);
  }

  void add(ClusterEvent event) {
    if (event.at().isBefore(last)) {
      throw new IllegalArgumentException(
          "events must be in the order of their times from %s, but %s came after %s"
              .formatted(Instant.EPOCH, event.at(), last));
    }
    if (health.apply(event).isEmpty()) {
      throw new IllegalArgumentException(
          "an event must change something, but the node or GPU is in that state already: " + event);
    }
    last = event.at();
  }
}
