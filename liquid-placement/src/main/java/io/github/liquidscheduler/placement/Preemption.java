package io.github.liquidscheduler.placement;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which running jobs have to go so that a waiting one fits. Only pre-emptible jobs of
 * strictly higher rank are asked, as they stand at this instant, so no two jobs can ever pre-empt
 * each other at one instant.
 *
 * <p>They are suspended one after the other, the last in turn first, until the winner fits. Then
 * those that need not go are resumed: first all that share no node with the winner's place, then,
 * in the reverse order, each without which the winner still fits somewhere. What remains is
 * minimal: none of the victims could stay. The search leaves the cluster as it was. Its cost is one
 * placement for each job suspended and for each that shares a node with the winner.
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
    long most = cluster.freeGpus();
    for (JobEntry candidate : candidates) {
      most += candidate.placement().map(Placement::gpus).orElse(0);
    }
    return most < winner.shape().leastGpus() ? Optional.empty() : find(winner, candidates);
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
    @Nullable Placement place = null;
    for (JobEntry candidate : candidates) {
      cluster.suspend(candidate.id());
      suspended.add(candidate);
      place = place(winner);
      if (place != null) {
        break;
      }
    }
    if (place != null) {
      resumeOnOtherNodes(place, suspended);
      place = resumeNeedless(winner, place, suspended);
    }
    suspended.forEach(job -> cluster.resume(job.id()));
    return Optional.ofNullable(place).map(found -> new Room(found, suspended));
  }

  private void resumeOnOtherNodes(Placement place, List<JobEntry> suspended) {
    Set<NodeId> nodes = place.nodes();
    suspended.removeIf(
        job -> {
          boolean apart = Collections.disjoint(nodes, placementOf(job).nodes());
          if (apart) {
            cluster.resume(job.id());
          }
          return apart;
        });
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

  private static Placement placementOf(JobEntry running) {
    return Objects.requireNonNull(running.placement().orElse(null));
  }

  /**
   * A place, and who has to go for it.
   *
   * @param place the winner's place once the victims are gone
   * @param victims the victims, the last in turn first
   */
  record Room(Placement place, List<JobEntry> victims) {}
}
