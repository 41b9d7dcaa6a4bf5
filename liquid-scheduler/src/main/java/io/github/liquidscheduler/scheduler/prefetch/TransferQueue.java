package io.github.liquidscheduler.scheduler.prefetch;

import io.github.liquidscheduler.cluster.NodeId;
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
 * Copies on the path from the storage, one behind the other in the order in which they are needed.
 * Whether they share the path or take turns, the last arrives at the same time. Mutable.
 */
final class TransferQueue {
  private static final double NANOS = 1e9;

  private final Prefetching rules;
  private final DataLocality locality;
  private final Instant now;
  private final Set<DataCopy.Key> underWay = new HashSet<>();
  private final Map<NodeId, Long> taken = new HashMap<>();
  private final List<Prefetch> begun = new ArrayList<>();
  private double bytesAhead;
  private @Nullable Instant lookAgain;

  TransferQueue(Prefetching rules, DataLocality locality, List<Transfer> keep, Instant now) {
    this.rules = rules;
    this.locality = locality;
    this.now = now;
    for (Transfer transfer : keep) {
      underWay.add(transfer.copy().key());
      take(transfer.copy());
      bytesAhead += transfer.remainingBytes();
    }
  }

  /** Begins a copy if it is time to; copies come in the order in which they are needed. */
  void offer(ExpectedReads.Read read) {
    DataCopy copy = read.copy();
    if (underWay.contains(copy.key()) || locality.isThere(copy) || !fits(copy)) {
      return;
    }
    double bytes = (double) copy.dataset().size().bytes();
    Duration alone = moving(bytes);
    Instant arrives = now.plus(moving(bytesAhead + bytes));
    double saved = Math.min(seconds(alone), seconds(alone) - late(arrives, read.at()));
    double gain = saved * read.gpus();
    if (gain < rules.leastGain()) {
      return;
    }
    Instant due = read.at().minus(rules.slack()).minus(Duration.between(now, arrives));
    bytesAhead += bytes;
    take(copy);
    if (due.isAfter(now)) {
      lookAgain = lookAgain == null || due.isBefore(lookAgain) ? due : lookAgain;
    } else if (underWay.size() < rules.mostAtOnce()) {
      underWay.add(copy.key());
      begun.add(new Prefetch(copy, read.job(), read.at(), gain));
    }
  }

  private boolean fits(DataCopy copy) {
    long room = locality.room(copy.node()).bytes() - taken.getOrDefault(copy.node(), 0L);
    return copy.dataset().size().bytes() <= room;
  }

  private void take(DataCopy copy) {
    taken.merge(copy.node(), copy.dataset().size().bytes(), Math::addExact);
  }

  private Duration moving(double bytes) {
    return Duration.ofNanos((long) Math.ceil(bytes / rules.path().bytesPerSecond() * NANOS));
  }

  /** Returns by how many seconds something arrives too late. */
  private static double late(Instant arrives, Instant needed) {
    return Math.max(0, seconds(Duration.between(needed, arrives)));
  }

  private static double seconds(Duration time) {
    return time.toNanos() / NANOS;
  }

  List<Prefetch> begun() {
    return begun;
  }

  Optional<Instant> lookAgain() {
    return Optional.ofNullable(lookAgain);
  }
}
