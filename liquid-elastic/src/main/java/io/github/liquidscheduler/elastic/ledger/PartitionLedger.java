package io.github.liquidscheduler.elastic.ledger;

import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.ledger.PartitionState.Done;
import io.github.liquidscheduler.elastic.ledger.PartitionState.Owned;
import io.github.liquidscheduler.elastic.ledger.PartitionState.Todo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The readers of an epoch's partitions, and their progress.
 *
 * <p>A partition is to do, owned by one worker at an offset, or done. Workers are given remainders
 * of returned partitions first, then partitions in the order of the epoch. Offsets only grow, and
 * only the owner moves them, so a late, repeated or foreign report changes nothing. What a leaving
 * worker has not read goes back at the reported offset: each sample is read once. What a crashed
 * worker had in hand, one mini-batch at most, is read again and noted.
 *
 * <p>Assigning a shard costs time linear in the partitions, all else is constant or linear in the
 * shards of one worker. Not thread-safe.
 */
public final class PartitionLedger {
  private final Partitioning partitioning;
  private final List<PartitionState> states;
  private final List<SampleRange> mayBeSeenTwice;
  private final TreeSet<Integer> changed = new TreeSet<>();
  private List<Integer> order;
  private int epoch;

  private PartitionLedger(LedgerSnapshot snapshot) {
    partitioning = snapshot.partitioning();
    states = new ArrayList<>(snapshot.states());
    mayBeSeenTwice = new ArrayList<>(snapshot.mayBeSeenTwice());
    epoch = snapshot.epoch();
    order = partitioning.order(epoch);
  }

  /** Returns the ledger of a job that has read nothing. */
  public static PartitionLedger of(Partitioning partitioning) {
    return restore(
        new LedgerSnapshot(partitioning, 0, untouched(partitioning.partitions()), List.of()));
  }

  /** Returns a ledger that continues where another was when it was asked for a snapshot. */
  public static PartitionLedger restore(LedgerSnapshot snapshot) {
    return new PartitionLedger(snapshot);
  }

  /** Returns all that this ledger knows. */
  public LedgerSnapshot snapshot() {
    return new LedgerSnapshot(partitioning, epoch, states, mayBeSeenTwice);
  }

  /** Returns the pass over the data, from 0. */
  public int epoch() {
    return epoch;
  }

  /** Returns the partitioning of the data set. */
  public Partitioning partitioning() {
    return partitioning;
  }

  /** Gives shards to a worker until it has this many or none is left; returns all its shards. */
  public List<Shard> refill(WorkerId worker, int shards) {
    List<Shard> owned = new ArrayList<>(shardsOf(worker));
    while (owned.size() < shards) {
      Optional<Shard> next = next(worker);
      if (next.isEmpty()) {
        break;
      }
      owned.add(next.get());
    }
    return owned;
  }

  /** Gives a worker the next remainder or partition, or nothing if none is left. */
  Optional<Shard> next(WorkerId worker) {
    Optional<Integer> remainder = firstTodo(1);
    return remainder.or(() -> firstTodo(0)).map(partition -> assign(partition, worker));
  }

  /** Returns the shards of a worker in the order in which it reads them. */
  public List<Shard> shardsOf(WorkerId worker) {
    List<Shard> owned = new ArrayList<>();
    for (int partition = 0; partition < states.size(); partition++) {
      if (states.get(partition) instanceof Owned state && state.worker().equals(worker)) {
        owned.add(shard(partition, state));
      }
    }
    owned.sort(Comparator.comparingLong(Shard::sequence));
    return owned;
  }

  /** Returns the workers that have shards, in ascending order. */
  public List<WorkerId> owners() {
    return states.stream()
        .filter(Owned.class::isInstance)
        .map(state -> ((Owned) state).worker())
        .distinct()
        .sorted()
        .toList();
  }

  /** Moves the offset of a worker's shard forward; a report that is late or not its own is void. */
  public void report(WorkerId worker, PartitionProgress progress) {
    if (progress.epoch() != epoch
        || progress.partition() >= states.size()
        || !(states.get(progress.partition()) instanceof Owned owned)
        || !owned.worker().equals(worker)
        || progress.offset() <= owned.offset()) {
      return;
    }
    boolean done = progress.offset() >= partitioning.length(progress.partition());
    set(
        progress.partition(),
        done ? new Done() : new Owned(worker, progress.offset(), owned.sequence()));
  }

  /** Takes back what a worker has not read, after it reported all that it read. */
  public void leave(WorkerId worker) {
    shardsOf(worker).forEach(shard -> set(shard.partition(), new Todo(shard.offset())));
  }

  /** Takes back what a worker has not reported, of which it may have read its next mini-batch. */
  public void crash(WorkerId worker) {
    nextBatch(worker).ifPresent(this::mayHaveBeenRead);
    leave(worker);
  }

  /** Notes what somebody may have read without reporting it, and others read again. */
  public void mayHaveBeenRead(SampleRange batch) {
    mayBeSeenTwice.add(batch);
  }

  /** Returns the mini-batch that a worker reads next, or nothing if it has no shard. */
  public Optional<SampleRange> nextBatch(WorkerId worker) {
    return shardsOf(worker).stream()
        .findFirst()
        .map(
            shard -> {
              long start = partitioning.start(shard.partition());
              long end = shard.endOfBatch(partitioning.batchSize());
              return new SampleRange(epoch, start + shard.offset(), start + end);
            });
  }

  /** Returns the progress that a worker reports after its next mini-batch. */
  public Optional<PartitionProgress> nextProgress(WorkerId worker) {
    return shardsOf(worker).stream()
        .findFirst()
        .map(
            shard ->
                new PartitionProgress(
                    epoch, shard.partition(), shard.endOfBatch(partitioning.batchSize())));
  }

  /** Returns the samples of all epochs that crashed workers may have read unreported. */
  public List<SampleRange> mayBeSeenTwice() {
    return List.copyOf(mayBeSeenTwice);
  }

  /** Returns true if each sample of the epoch has been read. */
  public boolean isEpochDone() {
    return states.stream().allMatch(Done.class::isInstance);
  }

  /**
   * Begins the next epoch, in an order of its own.
   *
   * @throws IllegalStateException if samples of this one are left
   */
  public void nextEpoch() {
    if (!isEpochDone()) {
      throw new IllegalStateException("Epoch %d has samples left to read".formatted(epoch));
    }
    begin(epoch + 1);
  }

  /** Begins the next epoch, but the last one, if each sample of this one has been read. */
  public void nextEpochIfDone(int epochs) {
    if (isEpochDone() && epoch + 1 < epochs) {
      nextEpoch();
    }
  }

  /** Returns the changes since the last call. */
  public LedgerChanges takeChanges() {
    List<LedgerChanges.Change> changes =
        changed.stream()
            .map(partition -> new LedgerChanges.Change(partition, states.get(partition)))
            .toList();
    changed.clear();
    return new LedgerChanges(epoch, changes);
  }

  /** Makes a copy equal to the ledger that the changes were taken from. */
  public void apply(LedgerChanges changes) {
    if (changes.epoch() != epoch) {
      begin(changes.epoch());
    }
    changes.changes().forEach(change -> states.set(change.partition(), change.state()));
  }

  private void begin(int next) {
    epoch = next;
    order = partitioning.order(next);
    states.replaceAll(state -> new Todo(0));
    changed.clear();
  }

  private Optional<Integer> firstTodo(long leastStart) {
    return order.stream()
        .filter(
            partition -> states.get(partition) instanceof Todo todo && todo.start() >= leastStart)
        .findFirst();
  }

  private Shard assign(int partition, WorkerId worker) {
    Todo todo = (Todo) states.get(partition);
    Owned owned = new Owned(worker, todo.start(), sequenceAfter(shardsOf(worker)));
    set(partition, owned);
    return shard(partition, owned);
  }

  private Shard shard(int partition, Owned owned) {
    return new Shard(partition, owned.offset(), partitioning.length(partition), owned.sequence());
  }

  private void set(int partition, PartitionState state) {
    states.set(partition, state);
    changed.add(partition);
  }

  private static List<PartitionState> untouched(int partitions) {
    List<PartitionState> states = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      states.add(new Todo(0));
    }
    return states;
  }

  private static long sequenceAfter(List<Shard> shards) {
    return shards.isEmpty() ? 0 : shards.getLast().sequence() + 1;
  }
}
