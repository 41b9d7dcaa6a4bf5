package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ScalingRequest;
import java.util.List;
import java.util.Objects;

/** The saved state of a leader, written before each change of the topology, and now and then. */
public record LeaderState(Replica replica, List<ScalingRequest> requests, boolean finished) {

  /** Copies the list. */
  public LeaderState {
    Objects.requireNonNull(replica, "replica");
    requests = List.copyOf(requests);
  }
}
