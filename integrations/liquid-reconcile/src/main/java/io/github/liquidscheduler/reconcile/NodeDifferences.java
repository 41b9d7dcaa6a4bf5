package io.github.liquidscheduler.reconcile;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.AdvanceReservation.Maintenance;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.ReservationId;
import io.github.liquidscheduler.scheduling.ReservationStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes as the manager shows them, compared with those of the scheduler. A node that does not
 * answer is draining: its jobs may run on. One that is given up is lost once no job is shown there
 * any more.
 */
final class NodeDifferences {

  /** What ends as soon is as good as over. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private final Observation seen;
  private final ClusterView known;
  private final Differences found;
  private final Set<DomainId> added = new HashSet<>();

  private NodeDifferences(Observation seen, ClusterView known, Differences found) {
    this.seen = seen;
    this.known = known;
    this.found = found;
  }

  static void find(Observation seen, ClusterView known, Differences found) {
    new NodeDifferences(seen, known, found).find();
  }

  /**
   * Compares maintenance, which a scheduler without a timeline of backfill refuses: there a node is
   * closed once the manager closes it.
   */
  static void findMaintenance(Sight sight, Scheduler scheduler, Differences found) {
    if (!scheduler.parameters().containsKey("backfill.reservations")) {
      return;
    }
    Map<ReservationId, AdvanceReservation> known = new HashMap<>();
    for (ReservationStatus status : scheduler.advanceReservations()) {
      known.put(status.reservation().id(), status.reservation());
    }
    for (Maintenance seen : sight.seen().maintenance()) {
      @Nullable AdvanceReservation before = known.remove(seen.id());
      if (!seen.until().isAfter(sight.now().plus(SOON))) {
        continue;
      }
      if (before == null) {
        found.tell(
            Differences.Kind.NODE,
            now -> new ClusterEvent.ReservationAnnounced(now, since(now, seen, now)));
      } else if (!since(before.from(), seen, sight.now()).equals(before)) {
        found.tell(
            Differences.Kind.NODE,
            now -> new ClusterEvent.ReservationChanged(now, since(before.from(), seen, now)));
      }
    }
    for (AdvanceReservation gone : known.values()) {
      if (gone instanceof Maintenance && gone.until().isAfter(sight.now().plus(SOON))) {
        found.tell(
            Differences.Kind.NODE, now -> new ClusterEvent.ReservationCancelled(now, gone.id()));
      }
    }
  }

  /** Returns maintenance as it can be told: what has begun did so when it was told to, or now. */
  private static Maintenance since(Instant told, Maintenance seen, Instant now) {
    Instant from = seen.from().isAfter(now) ? seen.from() : told.isAfter(now) ? now : told;
    return new Maintenance(seen.id(), from, seen.until(), seen.nodes());
  }

  private void find() {
    Set<NodeId> busy = busy();
    for (Node node : seen.cluster().nodes()) {
      NodeCondition condition = requireNonNull(seen.conditions().get(node.id()));
      if (known.topology().contains(node.id())) {
        // A node whose labels, capacity or domain have changed is to be told here.
        changed(node.id(), known.health(node.id()), condition, busy.contains(node.id()));
      } else {
        added(node);
        changed(node.id(), NodeHealth.UP, condition, busy.contains(node.id()));
      }
    }
    for (Node node : known.topology().nodes()) {
      if (!seen.cluster().contains(node.id())) {
        if (known.health(node.id()) != NodeHealth.LOST) {
          tell(now -> new ClusterEvent.NodeLost(now, node.id()));
        }
        tell(now -> new ClusterEvent.NodeRetired(now, node.id()));
      }
    }
  }

  private void changed(NodeId node, NodeHealth health, NodeCondition condition, boolean isBusy) {
    switch (condition) {
      case UP -> {
        if (health != NodeHealth.UP) {
          tell(now -> new ClusterEvent.NodeReturned(now, node));
        }
      }
      case DRAINING, SUSPECT -> drains(node, health);
      case DOWN -> {
        if (isBusy) {
          drains(node, health);
        } else if (health != NodeHealth.LOST) {
          tell(now -> new ClusterEvent.NodeLost(now, node));
        }
      }
    }
  }

  private void drains(NodeId node, NodeHealth health) {
    if (health == NodeHealth.LOST) {
      tell(now -> new ClusterEvent.NodeReturned(now, node));
    }
    if (health != NodeHealth.DRAINING) {
      tell(now -> new ClusterEvent.NodeDraining(now, node));
    }
  }

  private void added(Node node) {
    ClusterTopology cluster = seen.cluster();
    List<Domain> domains = new ArrayList<>();
    Optional<DomainId> above = node.domain();
    while (above.isPresent() && !known.topology().contains(above.get()) && added.add(above.get())) {
      Domain domain = cluster.domain(above.get());
      domains.addFirst(domain);
      above = domain.parent();
    }
    tell(now -> new ClusterEvent.NodeAdded(now, node, domains));
  }

  private Set<NodeId> busy() {
    Set<NodeId> busy = new HashSet<>();
    for (ObservedJob job : seen.jobs()) {
      if (job.state() instanceof ObservedState.Running
          || job.state() instanceof ObservedState.Ending) {
        busy.addAll(job.on());
      }
    }
    return busy;
  }

  private void tell(Differences.Told event) {
    found.tell(Differences.Kind.NODE, event);
  }
}
