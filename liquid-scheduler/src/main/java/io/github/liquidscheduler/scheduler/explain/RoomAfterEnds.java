package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.makeroom.LeavingSearch;
import io.github.liquidscheduler.placement.makeroom.LeavingSearch.Room;
import io.github.liquidscheduler.placement.makeroom.NodeSet;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which running jobs have to end so that a waiting one fits: of those that end soonest,
 * as few as do, and of these none that is not needed. Where counting tells that a job cannot fit it
 * is not placed, so that few placements are made. The cluster is as before afterwards.
 */
final class RoomAfterEnds {

  /** Nobody is helped by longer lists, and they take long to find. */
  private static final int MOST_NAMED = 256;

  private static final int MOST_LOOKED_AT = 4096;

  /** How many candidates beyond those that counting calls for. */
  private static final int MOST_MORE = 128;

  private final ClusterState cluster;
  private final Placer placer;
  private final JobSpec job;
  private final @Nullable TaskRoom room;
  private final Set<JobEntry> ended = new LinkedHashSet<>();
  private final Set<JobEntry> suspended = new LinkedHashSet<>();

  RoomAfterEnds(ClusterState cluster, Placer placer, JobSpec job) {
    this.cluster = cluster;
    this.placer = placer;
    this.job = job;
    room =
        job.sharing() instanceof Sharing.Exclusive
            ? new TaskRoom(cluster.index(), new GangShape(job, cluster.index()))
            : null;
  }

  /** Returns the jobs that have to end, given the running jobs in the order of their ends. */
  Optional<Counterfactual.AfterJobsEnd> find(Iterable<JobEntry> soonestToEnd, Instant now) {
    Iterator<JobEntry> ends = soonestToEnd.iterator();
    List<JobEntry> candidates = new ArrayList<>();
    while (room != null && !room.mayHold() && ends.hasNext()) {
      candidates.add(ends.next());
      end(candidates.getLast());
      if (candidates.size() == MOST_LOOKED_AT) {
        return Optional.empty();
      }
    }
    int tooFew = Math.max(0, candidates.size() - 1);
    for (int more = 0; more < MOST_MORE && ends.hasNext(); more++) {
      candidates.add(ends.next());
    }
    try {
      LeavingSearch<JobEntry> search = new LeavingSearch<>(this::without);
      return search
          .shortestHead(candidates, tooFew)
          .map(this::onItsNodes)
          .filter(found -> found.leaving().size() <= MOST_NAMED)
          .map(search::withoutNeedless)
          .filter(found -> !found.leaving().isEmpty())
          .map(found -> afterEnds(found.leaving(), now));
    } finally {
      suspended.forEach(each -> cluster.resumeRoom(each.id()));
    }
  }

  private static Counterfactual.AfterJobsEnd afterEnds(List<JobEntry> jobs, Instant now) {
    return new Counterfactual.AfterJobsEnd(
        jobs.stream().map(JobEntry::id).toList(), jobs.getLast().expectedEnd(now));
  }

  private Optional<Placement> without(List<JobEntry> leaving) {
    Set<JobEntry> back = new LinkedHashSet<>(ended);
    leaving.forEach(back::remove);
    back.forEach(this::goOn);
    leaving.forEach(this::end);
    if (room != null && !room.mayHold()) {
      return Optional.empty();
    }
    for (JobEntry each : leaving) {
      if ((room == null || room.isUsedBy(placementOf(each))) && suspended.add(each)) {
        cluster.suspendRoom(each.id());
      }
    }
    return placer.place(cluster, job);
  }

  private void end(JobEntry entry) {
    if (ended.add(entry) && room != null) {
      room.add(placementOf(entry));
    }
  }

  private void goOn(JobEntry entry) {
    ended.remove(entry);
    if (room != null) {
      room.remove(placementOf(entry));
    }
    if (suspended.remove(entry)) {
      cluster.resumeRoom(entry.id());
    }
  }

  /** Lets all stay that share no node with the placement found. */
  private Room<JobEntry> onItsNodes(Room<JobEntry> found) {
    ClusterTopology topology = cluster.topology();
    BitSet nodes = new BitSet();
    new NodeSet(found.placement(), topology).addTo(nodes);
    return new Room<>(
        found.placement(),
        found.leaving().stream().filter(left -> left.nodes(topology).touches(nodes)).toList());
  }

  private static Placement placementOf(JobEntry running) {
    return running.placement().orElseThrow();
  }
}
