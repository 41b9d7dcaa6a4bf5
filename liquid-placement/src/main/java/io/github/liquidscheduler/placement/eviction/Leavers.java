package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.ClusterTopology;
import java.util.Iterator;

/** Candidates that have not left yet, each asked for only when it is needed. */
record Leavers<C extends EvictionSearch.Candidate>(
    Iterator<? extends C> candidates, ClusterTopology topology) implements Iterator<Leaver<C>> {

  @Override
  public boolean hasNext() {
    return candidates.hasNext();
  }

  @Override
  public Leaver<C> next() {
    return new Leaver<>(candidates.next(), topology);
  }
}
