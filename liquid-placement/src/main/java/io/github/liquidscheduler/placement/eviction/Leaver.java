package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.ClusterTopology;
import org.jspecify.annotations.Nullable;

/** A candidate in a search, and whether it has left. */
final class Leaver<C extends EvictionSearch.Candidate> {

  private final C candidate;
  private final ClusterTopology topology;
  private @Nullable NodeSet nodes;

  /** Whether it has left. */
  boolean isGone;

  /** Whether it is let stay after all. */
  boolean mayStay;

  /** Whether it is out of the cluster. */
  boolean isOut;

  Leaver(C candidate, ClusterTopology topology) {
    this.candidate = candidate;
    this.topology = topology;
  }

  C candidate() {
    return candidate;
  }

  /** Returns where it runs and what it holds there, or would give up of that. */
  NodeSet nodes() {
    @Nullable NodeSet known = nodes;
    if (known == null) {
      known = candidate.nodes(topology);
      nodes = known;
    }
    return known;
  }
}
