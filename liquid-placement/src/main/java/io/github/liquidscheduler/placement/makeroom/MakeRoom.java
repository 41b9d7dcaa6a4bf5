package io.github.liquidscheduler.placement.makeroom;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which running jobs have to leave so that another one fits, given in which order they
 * would. They are suspended, in that order, until it fits; how many have to be is found by doubling
 * and halving, which is exact where a job fits whenever it fits with fewer of them gone. The search
 * leaves the cluster as it was. It costs a few steps for each candidate and a placement for each
 * doubling and halving. Not thread-safe.
 */
public final class MakeRoom {

  private final ClusterState cluster;
  private final Placer placer;
  private final JobSpec job;
  private final int leastGpus;

  /** A running job that may leave. */
  public interface Candidate {

    /** Returns its id. */
    JobId id();

    /** Returns the nodes it runs on and what it holds there. */
    NodeSet nodes(ClusterTopology topology);
  }

  /**
   * A placement, and who has to leave for it.
   *
   * @param placement where the job fits once they have left
   * @param leaving those who have to leave, in the order in which they would
   */
  public record Room<C extends Candidate>(Placement placement, List<C> leaving) {

    /** Copies the list. */
    public Room {
      leaving = List.copyOf(leaving);
    }
  }

  /**
   * Makes a search for room for a job.
   *
   * @param cluster who runs where; changed during a search, and as before after it
   * @param placer finds the placement
   * @param job the job
   * @param leastGpus a number of wholly free GPUs without which the job cannot fit, or 0
   */
  public MakeRoom(ClusterState cluster, Placer placer, JobSpec job, int leastGpus) {
    this.cluster = cluster;
    this.placer = placer;
    this.job = job;
    this.leastGpus = leastGpus;
  }

  /** Returns the shortest head of the candidates after whose leave the job fits, if any does. */
  public <C extends Candidate> Optional<Room<C>> first(List<C> candidates) {
    return search(candidates, false);
  }

  /**
   * Returns candidates without whom the job fits, if there are any, of whom none could stay: of the
   * shortest head of the list after whose leave it fits, first all stay that share no node with the
   * placement found, then, the last first, each without whose leave the job still fits somewhere.
   * That costs another placement for each of those who leave and their neighbours.
   */
  public <C extends Candidate> Optional<Room<C>> fewest(List<C> candidates) {
    return search(candidates, true);
  }

  private <C extends Candidate> Optional<Room<C>> search(List<C> candidates, boolean fewest) {
    if (!mayHelp(candidates)) {
      return Optional.empty();
    }
    List<C> suspended = new ArrayList<>();
    @Nullable Placement found = suspendUntilItFits(candidates, suspended);
    if (found != null && fewest) {
      resumeOnOtherNodes(found, suspended);
      found = resumeNeedless(found, suspended);
    }
    suspended.forEach(left -> cluster.resume(left.id()));
    return Optional.ofNullable(found).map(placement -> new Room<>(placement, suspended));
  }

  /** Returns false if the job would not fit even if all candidates had left, at a glance. */
  private boolean mayHelp(List<? extends Candidate> candidates) {
    if (candidates.isEmpty() || leastGpus == 0) {
      return !candidates.isEmpty();
    }
    Headroom headroom = new Headroom(cluster.index());
    candidates.forEach(candidate -> headroom.add(nodesOf(candidate)));
    return headroom.mayHold(job);
  }

  /** Suspends the first candidates, as few as will do, and returns the placement; null if none. */
  private <C extends Candidate> @Nullable Placement suspendUntilItFits(
      List<C> candidates, List<C> suspended) {
    int tooFew = 0;
    int enough = 1;
    @Nullable Placement placement = null;
    while (placement == null && tooFew < candidates.size()) {
      enough = Math.min(2 * tooFew + 1, candidates.size());
      suspend(candidates, suspended, enough);
      placement = place();
      tooFew = placement == null ? enough : tooFew;
    }
    while (placement != null && enough - tooFew > 1) {
      int middle = (tooFew + enough) >>> 1;
      suspend(candidates, suspended, middle);
      @Nullable Placement found = place();
      placement = found == null ? placement : found;
      tooFew = found == null ? middle : tooFew;
      enough = found == null ? enough : middle;
    }
    suspend(candidates, suspended, enough);
    return placement;
  }

  /** Suspends or resumes until exactly the first {@code count} candidates are suspended. */
  private <C extends Candidate> void suspend(List<C> candidates, List<C> suspended, int count) {
    while (suspended.size() < count) {
      C next = candidates.get(suspended.size());
      cluster.suspend(next.id());
      suspended.add(next);
    }
    while (suspended.size() > count) {
      cluster.resume(suspended.removeLast().id());
    }
  }

  private void resumeOnOtherNodes(Placement placement, List<? extends Candidate> suspended) {
    BitSet nodes = new BitSet();
    new NodeSet(placement, cluster.topology()).addTo(nodes);
    suspended.removeIf(
        candidate -> {
          boolean apart = !nodesOf(candidate).touches(nodes);
          if (apart) {
            cluster.resume(candidate.id());
          }
          return apart;
        });
  }

  private Placement resumeNeedless(Placement first, List<? extends Candidate> suspended) {
    Placement placement = first;
    for (int i = suspended.size() - 1; i >= 0; i--) {
      JobId candidate = suspended.get(i).id();
      cluster.resume(candidate);
      @Nullable Placement without = place();
      if (without == null) {
        cluster.suspend(candidate);
      } else {
        placement = without;
        suspended.remove(i);
      }
    }
    return placement;
  }

  private @Nullable Placement place() {
    return leastGpus > cluster.freeGpus() ? null : placer.place(cluster, job).orElse(null);
  }

  private NodeSet nodesOf(Candidate candidate) {
    return candidate.nodes(cluster.topology());
  }
}
