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

/** The charges of the candidates that a search has removed from the cluster. */
final class RemovedCharges {

  private final ResourceLoss losses;
  private final List<Charge> out = new ArrayList<>();

  RemovedCharges(ResourceLoss losses) {
    this.losses = losses;
  }

  /** Returns the charge of each removed candidate; live. */
  List<Charge> out() {
    return out;
  }

  /** Returns the candidates, counted while they are removed. */
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

  /** A candidate that is counted while it is removed. */
  final class Counted implements EvictionSearch.Candidate {

    private final EvictionSearch.Candidate candidate;
    private final Charge charge;

    private Counted(EvictionSearch.Candidate candidate) {
      this.candidate = candidate;
      charge = losses.charge(candidate);
    }

    /** Returns its charge. */
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
