package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.ledger.LedgerSnapshot;
import io.github.liquidscheduler.elastic.ledger.PartitionLedger;
import io.github.liquidscheduler.elastic.ledger.PartitionProgress;
import io.github.liquidscheduler.elastic.protocol.ToWorker.LedgerUpdate.Changes;
import io.github.liquidscheduler.elastic.protocol.ToWorker.LedgerUpdate.Full;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One worker of an elastic job, between its training loop and the leader.
 *
 * <p>It obeys the leader of the highest term that it has heard of, and only messages that are ahead
 * of where it is: what is late, repeated or from a former leader changes nothing. It keeps a copy
 * of the partition ledger, which it shows to each new leader. A state machine without clock, thread
 * or socket; not thread-safe.
 */
public final class Worker {
  private final WorkerId id;
  private final List<WorkerOutput> outputs = new ArrayList<>();
  private @Nullable PartitionLedger ledger;
  private @Nullable TopologyEpoch topology;
  private @Nullable ToLeader pending;
  private long step;
  private long term;
  private long switchAt;
  private boolean contextReady;
  private boolean loaded;
  private boolean leaving;
  private boolean stopped;

  /** Returns a worker that has not yet asked to train. */
  public Worker(WorkerId id) {
    this.id = id;
  }

  /** Returns its name. */
  public WorkerId id() {
    return id;
  }

  /** The leader of this term can be reached, the first or another: asks it to train. */
  public List<WorkerOutput> connected(long leading) {
    if (!stopped && leading >= term) {
      term = leading;
      send(new ToLeader.Register(id, replica(), loaded));
      if (topology == null && contextReady) {
        send(new ToLeader.Ready(id));
      }
      if (pending != null) {
        send(pending);
      }
      if (leaving) {
        send(new ToLeader.Leave(id));
      }
    }
    return takeOutputs();
  }

  /** The training process has prepared its execution context. */
  public List<WorkerOutput> contextReady() {
    if (!stopped && !contextReady) {
      contextReady = true;
      send(new ToLeader.Ready(id));
    }
    return takeOutputs();
  }

  /**
   * The training process has summed its gradients of a mini-batch with the others. Those of another
   * topology or mini-batch than the present one are ignored.
   */
  public List<WorkerOutput> batchEnd(long number, long trained, Duration compute) {
    if (isCurrent(number, trained) && pending == null) {
      loaded = true;
      report(new ToLeader.BatchEnd(id, number, trained, progress(), compute));
    }
    return takeOutputs();
  }

  /** The training process could not sum its gradients of a mini-batch with the others. */
  public List<WorkerOutput> batchFailed(long number, long trained) {
    if (isCurrent(number, trained) && pending == null) {
      report(new ToLeader.BatchFailed(id, number, trained));
    }
    return takeOutputs();
  }

  /** The training process wants to exit gracefully. */
  public List<WorkerOutput> leave() {
    if (!stopped) {
      leaving = true;
      send(new ToLeader.Leave(id));
    }
    return takeOutputs();
  }

  /**
   * Checks a leader's message against this worker's copy of the ledger.
   *
   * @throws IllegalArgumentException if it changes a ledger that the worker does not hold
   */
  public void check(ToWorker message) {
    if (!stopped
        && message.term() >= term
        && message instanceof ToWorker.Proceed proceed
        && proceed.ledger() instanceof Changes changes
        && (ledger == null || !changes.changes().fit(ledger.partitioning()))) {
      throw new IllegalArgumentException(
          "worker '%s' has no ledger to which the changes of mini-batch %d belong"
              .formatted(id, proceed.step()));
    }
  }

  /** Takes a leader's message, and returns the resulting actions. */
  public List<WorkerOutput> on(ToWorker message) {
    if (!stopped && message.term() >= term) {
      term = message.term();
      switch (message) {
        case ToWorker.Prepare prepare -> prepare();
        case ToWorker.Switch announced -> switchAt = announced.at();
        case ToWorker.Proceed proceed -> proceed(proceed);
        case ToWorker.Stop stop -> stop(stop);
      }
    }
    return takeOutputs();
  }

  /** Reports the mini-batch, again under each new leader, until it is told to proceed. */
  private void report(ToLeader message) {
    pending = message;
    send(message);
  }

  private boolean hasReported() {
    return pending instanceof ToLeader.BatchEnd;
  }

  private void prepare() {
    if (contextReady && topology == null) {
      send(new ToLeader.Ready(id));
    }
  }

  private void proceed(ToWorker.Proceed proceed) {
    TopologyEpoch current = topology;
    long ahead = current == null ? 1 : proceed.topology().number() - current.number();
    if (ahead < 0 || (ahead == 0 && proceed.step() < step)) {
      return;
    }
    if (ahead == 0 && proceed.step() == step) {
      if (pending != null) {
        send(pending);
      }
      return;
    }
    boolean committed = hasReported() && proceed.step() == step + 1;
    pending = null;
    topology = proceed.topology();
    step = proceed.step();
    update(proceed.ledger());
    run(committed, ahead > 0);
  }

  private void update(ToWorker.LedgerUpdate update) {
    switch (update) {
      case Full full -> ledger = PartitionLedger.restore(full.snapshot());
      case Changes changes -> ledger().apply(changes.changes());
    }
  }

  private void run(boolean committed, boolean switched) {
    outputs.add(new WorkerOutput.Run(current(), step, batch(), committed, switched, switchAt));
  }

  private void stop(ToWorker.Stop stop) {
    stopped = true;
    boolean committed = hasReported() && step < stop.step();
    outputs.add(new WorkerOutput.Stopped(stop.reason(), committed));
  }

  private @Nullable Replica replica() {
    return topology == null ? null : new Replica(topology, step, ledgerSnapshot());
  }

  private LedgerSnapshot ledgerSnapshot() {
    return ledger().snapshot();
  }

  private boolean isCurrent(long number, long trained) {
    return !stopped && topology != null && topology.number() == number && step == trained;
  }

  private SampleRange batch() {
    return ledger().nextBatch(id).orElseGet(() -> new SampleRange(ledger().epoch(), 0, 0));
  }

  private @Nullable PartitionProgress progress() {
    return ledger().nextProgress(id).orElse(null);
  }

  private PartitionLedger ledger() {
    return Objects.requireNonNull(ledger, "no topology is formed");
  }

  private TopologyEpoch current() {
    return Objects.requireNonNull(topology, "no topology is formed");
  }

  private void send(ToLeader message) {
    outputs.add(new WorkerOutput.Send(message));
  }

  private List<WorkerOutput> takeOutputs() {
    List<WorkerOutput> taken = List.copyOf(outputs);
    outputs.clear();
    return taken;
  }
}
