package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.ClusterTopology;
import org.jspecify.annotations.Nullable;

/** The state of a candidate in a search. */
final class TrackedCandidate<C extends EvictionSearch.Candidate> {

  private final C candidate;
  private final ClusterTopology topology;
  private @Nullable NodeSet nodes;

  /** Whether it has left on paper. */
  boolean isGone;

  /** Whether it may stay after all. */
  boolean mayStay;

  /** Whether it is suspended in the cluster. */
  boolean isOut;

  TrackedCandidate(C candidate, ClusterTopology topology) {
    this.candidate = candidate;
    this.topology = topology;
  }

  C candidate() {
    return candidate;
  }

  /** Returns its nodes and the amounts it holds there, or would release. */
  NodeSet nodes() {
    @Nullable NodeSet known = nodes;
    if (known == null) {
      known = candidate.nodes(topology);
      nodes = known;
    }
    return known;
  }
}
