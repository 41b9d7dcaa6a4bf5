package io.github.liquidscheduler.placement.makeroom;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out which running jobs have to leave so that another one fits, given in which order they
 * would. They are suspended, in that order, until it fits ({@link LeavingSearch}). The search
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
  public <C extends Candidate> Optional<LeavingSearch.Room<C>> first(List<C> candidates) {
    return search(candidates, false);
  }

  /**
   * Returns candidates without whom the job fits, if there are any, of whom none could stay: of the
   * shortest head of the list after whose leave it fits, first all stay that share no node with the
   * placement found, then, the last first, each without whose leave the job still fits somewhere.
   * That costs another placement for each of those who leave and their neighbours.
   */
  public <C extends Candidate> Optional<LeavingSearch.Room<C>> fewest(List<C> candidates) {
    return search(candidates, true);
  }

  private <C extends Candidate> Optional<LeavingSearch.Room<C>> search(
      List<C> candidates, boolean fewest) {
    if (!mayHelp(candidates)) {
      return Optional.empty();
    }
    Set<C> suspended = new LinkedHashSet<>();
    LeavingSearch<C> search = new LeavingSearch<>(leaving -> without(leaving, suspended));
    Optional<LeavingSearch.Room<C>> room = search.shortestHead(candidates);
    if (fewest) {
      room = room.map(this::onItsNodes).map(search::withoutNeedless);
    }
    suspended.forEach(left -> cluster.resume(left.id()));
    return room;
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

  /** Suspends those who leave and nobody else, and returns where the job fits then. */
  private <C extends Candidate> Optional<Placement> without(List<C> leaving, Set<C> suspended) {
    Set<C> staying = new LinkedHashSet<>(suspended);
    leaving.forEach(staying::remove);
    for (C candidate : staying) {
      cluster.resume(candidate.id());
      suspended.remove(candidate);
    }
    for (C candidate : leaving) {
      if (suspended.add(candidate)) {
        cluster.suspend(candidate.id());
      }
    }
    return leastGpus > cluster.freeGpus() ? Optional.empty() : placer.place(cluster, job);
  }

  /** Lets all stay that share no node with the placement found. */
  private <C extends Candidate> LeavingSearch.Room<C> onItsNodes(LeavingSearch.Room<C> room) {
    BitSet nodes = new BitSet();
    new NodeSet(room.placement(), cluster.topology()).addTo(nodes);
    return new LeavingSearch.Room<>(
        room.placement(),
        room.leaving().stream().filter(left -> nodesOf(left).touches(nodes)).toList());
  }

  private NodeSet nodesOf(Candidate candidate) {
    return candidate.nodes(cluster.topology());
  }
}
