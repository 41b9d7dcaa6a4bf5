package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.placement.timeline.Reservation;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells the agenda on which nodes less is reserved than before: where reservations have moved away,
 * and where running jobs are expected to end earlier. Mutable.
 */
final class LoosenedNodes {

  private final JobTable jobs;
  private Set<Slot<Placement>> looked = Set.of();

  LoosenedNodes(JobTable jobs) {
    this.jobs = jobs;
  }

  /** Looks at all reservations. */
  void look(List<Reservation<Placement>> reservations) {
    Set<Slot<Placement>> reserved = slots(reservations);
    for (Slot<Placement> slot : looked) {
      if (!reserved.contains(slot)) {
        add(slot.placement());
      }
    }
    looked = reserved;
  }

  /** Notes that less is reserved at a placement. */
  void add(Placement where) {
    ClusterTopology topology = jobs.cluster().topology();
    if (areThere(where, topology)) {
      jobs.agenda().loosen(new NodeSet(where, topology));
    }
  }

  /** Returns true if all nodes of a placement are in a cluster. */
  static boolean areThere(Placement placement, ClusterTopology topology) {
    return placement.nodes().stream().allMatch(topology::contains);
  }

  /** Returns the reserved slots at the last look. */
  Set<Slot<Placement>> looked() {
    return looked;
  }

  /** Returns to the reserved slots at a look. */
  void rollBackTo(Set<Slot<Placement>> then) {
    looked = then;
  }

  /** Returns the slots of reservations. */
  static Set<Slot<Placement>> slots(List<Reservation<Placement>> reservations) {
    Set<Slot<Placement>> slots = new LinkedHashSet<>();
    reservations.forEach(claim -> slots.add(claim.slot()));
    return slots;
  }
}
