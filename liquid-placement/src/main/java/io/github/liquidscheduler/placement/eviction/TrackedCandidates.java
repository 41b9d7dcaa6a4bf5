package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.ClusterTopology;
import java.util.Iterator;

/** The candidates still to be considered, consumed one by one. */
record TrackedCandidates<C extends EvictionSearch.Candidate>(
    Iterator<? extends C> candidates, ClusterTopology topology)
    implements Iterator<TrackedCandidate<C>> {

  @Override
  public boolean hasNext() {
    return candidates.hasNext();
  }

  @Override
  public TrackedCandidate<C> next() {
    return new TrackedCandidate<>(candidates.next(), topology);
  }
}
