package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.policy.GpuTime;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.NodeSet;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which running jobs have to go so that a waiting one fits. Only pre-emptible jobs of
 * strictly higher rank are asked, as they stand at this instant, so no two jobs can ever pre-empt
 * each other at one instant.
 *
 * <p>They are suspended, the last in turn first, until the winner fits; how many have to be is
 * found by doubling and halving. Then those that need not go are resumed: first all that share no
 * node with the winner's place, then, in the reverse order, each without which the winner still
 * fits somewhere. What remains is minimal: none of the victims could stay. The search leaves the
 * cluster as it was. It costs a few steps for each candidate, a placement for each doubling and
 * halving, and one for each victim and its neighbours.
 */
final class Preemption {

  private final JobTable table;
  private final ClusterState cluster;
  private final Placer placer;

  Preemption(JobTable table, Placer placer) {
    this.table = table;
    this.placer = placer;
    cluster = table.cluster();
  }

  /** Returns what would make room for the job, or empty if nothing would. */
  Optional<Room> find(JobEntry winner) {
    List<JobEntry> candidates = candidates(winner);
    return mayHelp(winner, candidates) ? find(winner, candidates) : Optional.empty();
  }

  /** Returns false if the winner would not fit even if all candidates were gone, at a glance. */
  private boolean mayHelp(JobEntry winner, List<JobEntry> candidates) {
    if (candidates.isEmpty() || winner.shape().leastGpus() == 0) {
      return !candidates.isEmpty();
    }
    Headroom headroom = new Headroom(cluster.index());
    candidates.forEach(candidate -> headroom.add(footprintOf(candidate)));
    return headroom.mayHold(winner.job());
  }

  private List<JobEntry> candidates(JobEntry winner) {
    long rank = winner.rank();
    if (!table.policy().isRemainingTime()) {
      return table.running().preemptibleAbove(rank);
    }
    long end = GpuTime.cappedSum(rank, GpuTime.nanos(table.now()));
    return table.running().preemptibleAbove(end).stream()
        .filter(job -> table.policy().rank(job.at(table.now())) > rank)
        .toList();
  }

  private Optional<Room> find(JobEntry winner, List<JobEntry> candidates) {
    List<JobEntry> suspended = new ArrayList<>();
    @Nullable Placement place = suspendUntilItFits(winner, candidates, suspended);
    if (place != null) {
      resumeOnOtherNodes(place, suspended);
      place = resumeNeedless(winner, place, suspended);
    }
    suspended.forEach(job -> cluster.resume(job.id()));
    return Optional.ofNullable(place).map(found -> new Room(found, suspended));
  }

  /** Suspends the first candidates, as few as will do, and returns the place; null if none will. */
  private @Nullable Placement suspendUntilItFits(
      JobEntry winner, List<JobEntry> candidates, List<JobEntry> suspended) {
    int tooFew = 0;
    int enough = 1;
    @Nullable Placement place = null;
    while (place == null && tooFew < candidates.size()) {
      enough = Math.min(2 * tooFew + 1, candidates.size());
      suspend(candidates, suspended, enough);
      place = place(winner);
      tooFew = place == null ? enough : tooFew;
    }
    while (place != null && enough - tooFew > 1) {
      int middle = (tooFew + enough) >>> 1;
      suspend(candidates, suspended, middle);
      @Nullable Placement found = place(winner);
      place = found == null ? place : found;
      tooFew = found == null ? middle : tooFew;
      enough = found == null ? enough : middle;
    }
    suspend(candidates, suspended, enough);
    return place;
  }

  /** Suspends or resumes until exactly the first {@code count} candidates are suspended. */
  private void suspend(List<JobEntry> candidates, List<JobEntry> suspended, int count) {
    while (suspended.size() < count) {
      JobEntry next = candidates.get(suspended.size());
      cluster.suspend(next.id());
      suspended.add(next);
    }
    while (suspended.size() > count) {
      cluster.resume(suspended.removeLast().id());
    }
  }

  private void resumeOnOtherNodes(Placement place, List<JobEntry> suspended) {
    BitSet nodes = new BitSet();
    new NodeSet(place, cluster.topology()).addTo(nodes);
    List<JobEntry> apart =
        suspended.stream().filter(job -> !footprintOf(job).touches(nodes)).toList();
    apart.forEach(job -> cluster.resume(job.id()));
    suspended.removeIf(job -> !footprintOf(job).touches(nodes));
  }

  private Placement resumeNeedless(JobEntry winner, Placement first, List<JobEntry> suspended) {
    Placement place = first;
    for (int i = suspended.size() - 1; i >= 0; i--) {
      JobEntry job = suspended.get(i);
      cluster.resume(job.id());
      @Nullable Placement without = place(winner);
      if (without == null) {
        cluster.suspend(job.id());
      } else {
        place = without;
        suspended.remove(i);
      }
    }
    return place;
  }

  private @Nullable Placement place(JobEntry winner) {
    return winner.shape().leastGpus() > cluster.freeGpus()
        ? null
        : placer.place(cluster, winner.job()).orElse(null);
  }

  private NodeSet footprintOf(JobEntry running) {
    return running.footprint(cluster.topology());
  }

  /**
   * A place, and who has to go for it.
   *
   * @param place the winner's place once the victims are gone
   * @param victims the victims, the last in turn first
   */
  record Room(Placement place, List<JobEntry> victims) {}
}
