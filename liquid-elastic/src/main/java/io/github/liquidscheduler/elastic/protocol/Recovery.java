package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The recovery of a new leader before it leads: from the saved state, and what the workers know. A
 * topology is saved before any worker hears of it, so the saved one or a worker's is the last there
 * was, and the furthest copy of the ledger is the one to go on from.
 */
final class Recovery {
  private final LeaderState saved;
  private final Instant deadline;
  private final Map<WorkerId, ToLeader.Register> registered = new LinkedHashMap<>();
  private final Set<WorkerId> lost = new LinkedHashSet<>();

  Recovery(LeaderState saved, Instant now, Duration patience) {
    this.saved = saved;
    this.deadline = now.plus(patience);
  }

  LeaderState saved() {
    return saved;
  }

  /**
   * Checks a worker's copy against what was saved: the leader before saved each topology before any
   * worker heard of it.
   */
  void check(WorkerId worker, Replica replica) {
    TopologyEpoch last = saved.replica().topology();
    TopologyEpoch topology = replica.topology();
    if (topology.number() > last.number()
        || (topology.number() == last.number() && !topology.equals(last))
        || !topology.has(worker)
        || !replica.ledger().partitioning().equals(saved.replica().ledger().partitioning())) {
      throw new IllegalArgumentException(
          ("worker '%s' cannot have topology %d with members %s and its ledger:"
                  + " the last that was saved is %d with %s")
              .formatted(
                  worker, topology.number(), topology.members(), last.number(), last.members()));
    }
  }

  void add(ToLeader.Register register) {
    registered.put(register.worker(), register);
  }

  /** Forgets a worker whose process has ended. */
  void lose(WorkerId worker) {
    registered.remove(worker);
    lost.add(worker);
  }

  Replica furthest() {
    Replica furthest = saved.replica();
    for (ToLeader.Register register : registered.values()) {
      Replica replica = register.replica();
      if (replica != null && Replica.BY_PROGRESS.compare(replica, furthest) > 0) {
        furthest = replica;
      }
    }
    return furthest;
  }

  /** Returns the members of the topology that have not registered. */
  List<WorkerId> missing() {
    List<WorkerId> missing = new ArrayList<>(furthest().topology().members());
    missing.removeAll(registered.keySet());
    return missing;
  }

  /** Returns true if nobody is left to wait for who may still come. */
  boolean isComplete() {
    return !registered.isEmpty() && lost.containsAll(missing());
  }

  List<WorkerId> loaded() {
    return registered.values().stream()
        .filter(ToLeader.Register::loaded)
        .map(ToLeader.Register::worker)
        .toList();
  }

  List<ToLeader.Register> registered() {
    return List.copyOf(registered.values());
  }

  boolean isOver(Instant now) {
    return !now.isBefore(deadline);
  }
}
