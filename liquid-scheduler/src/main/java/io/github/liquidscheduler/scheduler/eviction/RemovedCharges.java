package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.scheduler.quota.Charge;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Knows at each step of a search for room what those hold who are out of the cluster. */
final class RemovedCharges {

  private final ResourceLoss losses;
  private final List<Charge> out = new ArrayList<>();

  RemovedCharges(ResourceLoss losses) {
    this.losses = losses;
  }

  /** Returns what each of those holds who are out of the cluster now. */
  List<Charge> out() {
    return out;
  }

  /** Returns the same candidates, who are counted while they are out. */
  Iterator<Counted> counting(Iterator<? extends EvictionSearch.Candidate> candidates) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return candidates.hasNext();
      }

      @Override
      public Counted next() {
        return new Counted(candidates.next());
      }
    };
  }

  /** A candidate who is counted while it is out. */
  final class Counted implements EvictionSearch.Candidate {

    private final EvictionSearch.Candidate candidate;
    private final Charge charge;

    private Counted(EvictionSearch.Candidate candidate) {
      this.candidate = candidate;
      charge = losses.charge(candidate);
    }

    /** Returns what it holds. */
    Charge charge() {
      return charge;
    }

    EvictionSearch.Candidate candidate() {
      return candidate;
    }

    @Override
    public JobId id() {
      return candidate.id();
    }

    @Override
    public NodeSet nodes(ClusterTopology topology) {
      return candidate.nodes(topology);
    }

    @Override
    public void leave(ClusterState cluster, boolean whatTheySend) {
      candidate.leave(cluster, whatTheySend);
      out.add(charge);
    }

    @Override
    public void comeBack(ClusterState cluster, boolean whatTheySend) {
      candidate.comeBack(cluster, whatTheySend);
      out.remove(charge);
    }
  }
}
