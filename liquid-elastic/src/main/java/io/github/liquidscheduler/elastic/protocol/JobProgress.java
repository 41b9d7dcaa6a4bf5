package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.ledger.PartitionLedger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the job is: who trains, which mini-batch is next, who reads what, who holds the model. */
final class JobProgress {
  private final int shards;
  private final Set<WorkerId> holders = new LinkedHashSet<>();
  private PartitionLedger ledger;
  private @Nullable TopologyEpoch topology;
  private long step = 1;

  JobProgress(PartitionLedger ledger, int shards) {
    this.ledger = ledger;
    this.shards = shards;
  }

  void restore(Replica replica, Collection<WorkerId> loaded) {
    ledger = PartitionLedger.restore(replica.ledger());
    topology = replica.topology();
    step = replica.step();
    holders.addAll(loaded);
    holders.retainAll(members());
  }

  boolean isFormed() {
    return topology != null;
  }

  TopologyEpoch topology() {
    return Objects.requireNonNull(topology, "no topology is formed");
  }

  List<WorkerId> members() {
    return topology == null ? List.of() : topology.members();
  }

  boolean has(WorkerId worker) {
    return members().contains(worker);
  }

  /** Returns whether a report is about the mini-batch that is being trained. */
  boolean isCurrent(WorkerId worker, long number, long reported) {
    return has(worker) && number == topology().number() && reported == step;
  }

  long nextNumber() {
    return topology == null ? 1 : topology.number() + 1;
  }

  long step() {
    return step;
  }

  PartitionLedger ledger() {
    return ledger;
  }

  Replica replica() {
    return new Replica(topology(), step, ledger.snapshot());
  }

  void loaded(WorkerId worker) {
    holders.add(worker);
  }

  /** Returns whether one of these has the model; before the first mini-batch, all have. */
  boolean isHeldBy(List<WorkerId> workers) {
    return step == 1 || workers.stream().anyMatch(holders::contains);
  }

  /** Counts a mini-batch that all members have reported. */
  void commit(List<ToLeader.BatchEnd> reports) {
    for (ToLeader.BatchEnd report : reports) {
      holders.add(report.worker());
      if (report.progress() != null) {
        ledger.report(report.worker(), report.progress());
      }
    }
    step++;
  }

  /**
   * Begins a topology of these workers.
   *
   * @param unreported how many mini-batches those who are no longer members may have read without
   *     reporting them
   */
  void switchTo(List<WorkerId> members, int unreported) {
    for (WorkerId owner : ledger.owners()) {
      if (!members.contains(owner)) {
        ledger.crash(owner, unreported);
      }
    }
    holders.retainAll(members);
    List<WorkerId> receivers = new ArrayList<>(members);
    receivers.removeAll(holders);
    long number = nextNumber();
    WorkerId broadcaster = receivers.isEmpty() ? null : pickBroadcaster(members, number);
    receivers.remove(broadcaster);
    topology = new TopologyEpoch(number, members, broadcaster, receivers);
    refill();
  }

  /** Gives each member its shards. */
  void refill() {
    members().forEach(member -> ledger.refill(member, shards));
  }

  /** Spreads the work of broadcasting over those who hold the model. */
  private WorkerId pickBroadcaster(List<WorkerId> members, long number) {
    List<WorkerId> from = holders.isEmpty() ? members : List.copyOf(holders);
    return from.get(Math.floorMod(ledger.partitioning().seed() + number, from.size()));
  }
}
