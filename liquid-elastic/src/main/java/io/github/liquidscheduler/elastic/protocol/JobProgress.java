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

/** Who trains a job, which mini-batch is next, who reads what, and who holds the model. */
final class JobProgress {
  private final int shards;
  private final int epochs;
  private final Set<WorkerId> holders = new LinkedHashSet<>();
  private PartitionLedger ledger;
  private @Nullable TopologyEpoch topology;
  private long step = 1;

  JobProgress(PartitionLedger ledger, int shards, int epochs) {
    this.ledger = ledger;
    this.shards = shards;
    this.epochs = epochs;
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

  /** Returns true if a report is about the mini-batch that is being trained. */
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

  /** Returns true if one of these has the model; before the first mini-batch, all have. */
  boolean isHeldBy(List<WorkerId> workers) {
    return step == 1 || workers.stream().anyMatch(holders::contains);
  }

  /** Counts a mini-batch that all members have reported; the next may be of the next epoch. */
  void commit(List<ToLeader.BatchEnd> reports) {
    for (ToLeader.BatchEnd report : reports) {
      holders.add(report.worker());
      if (report.progress() != null) {
        ledger.report(report.worker(), report.progress());
      }
    }
    ledger.nextEpochIfDone(epochs);
    step++;
  }

  /** Returns true if each sample of all epochs has been read. */
  boolean isFinished() {
    return ledger.isEpochDone() && ledger.epoch() + 1 >= epochs;
  }

  /** Begins a topology of these workers; what the others have not reported, they have not read. */
  void switchTo(List<WorkerId> members) {
    gone(members).forEach(ledger::leave);
    begin(members);
  }

  /** Begins a topology of these workers; the others may have read the open mini-batch. */
  void goOnWith(List<WorkerId> members) {
    gone(members).forEach(ledger::crash);
    begin(members);
  }

  /**
   * Notes what these workers have read if the leader before has committed the open mini-batch and
   * has let them proceed, but nobody who is left: a mini-batch more, maybe of the next epoch.
   */
  void mayHaveProceeded(Collection<WorkerId> lost) {
    PartitionLedger ahead = PartitionLedger.restore(ledger.snapshot());
    for (WorkerId member : members()) {
      ahead.nextProgress(member).ifPresent(progress -> ahead.report(member, progress));
    }
    ahead.nextEpochIfDone(epochs);
    members().forEach(member -> ahead.refill(member, shards));
    lost.forEach(worker -> ahead.nextBatch(worker).ifPresent(ledger::mayHaveBeenRead));
  }

  private List<WorkerId> gone(List<WorkerId> members) {
    List<WorkerId> gone = new ArrayList<>(ledger.owners());
    gone.removeAll(members);
    return gone;
  }

  private void begin(List<WorkerId> members) {
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
