package io.github.liquidscheduler.scheduler.transfer;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.data.CopyKey;
import io.github.liquidscheduler.scheduler.data.DataBooks;
import io.github.liquidscheduler.scheduler.data.PrefetchedCopy;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Begins and cancels transfers within the limits of the storage path and of disks. */
record Transfers(Prefetching rules, Turn turn, DataBooks books) {

  /** Returns the transfer time of a number of bytes, in seconds. */
  double seconds(double bytes) {
    return bytes / rules.path().bytesPerSecond();
  }

  /** Returns the bytes still to be transferred, as estimated. */
  double bytesAhead() {
    double bytes = 0;
    for (PrefetchedCopy bringing : books.underWay().values()) {
      bytes += bringing.dataset().size().bytes() * (1 - moved(bringing));
    }
    return bytes;
  }

  /** Returns the estimated fraction of a transfer done, with the path shared equally. */
  private double moved(PrefetchedCopy bringing) {
    double alone = seconds((double) bringing.dataset().size().bytes());
    double since = GpuTime.exactSeconds(Duration.between(bringing.begun(), now()));
    int sharing = Math.max(1, books.underWay().size() + books.reading());
    return alone <= 0 ? 1 : Math.min(1, since / sharing / alone);
  }

  /**
   * Begins a transfer if the copy fits on disk, after evicting copies that no running job reads and
   * that are not {@code kept}.
   *
   * @param predicted the fraction of scenarios in which the copy is read
   * @return true if it was begun
   */
  boolean begin(
      CopyKey copy,
      Dataset dataset,
      JobId job,
      double predicted,
      Instant neededAt,
      Instant until,
      Reason.ExpectedRead why,
      Predicate<CopyKey> kept) {
    Node node = turn.cluster().topology().node(copy.node());
    if (books.underWay().size() >= rules.mostAtOnce()) {
      return false;
    }
    Optional<List<String>> evict = evictions(node, dataset, kept);
    if (evict.isEmpty()) {
      return false;
    }
    evict.get().forEach(name -> books.evicted(new CopyKey(node.id(), name)));
    books.bring(copy, new PrefetchedCopy(job, dataset, now(), predicted, until));
    turn.decide(new Decision.Prefetch(job, node.id(), dataset, neededAt, evict.get(), why));
    return true;
  }

  private Optional<List<String>> evictions(Node node, Dataset dataset, Predicate<CopyKey> kept) {
    List<String> evict = new ArrayList<>();
    long free = books.freeDisk(node);
    for (Map.Entry<String, Dataset> other : books.copies(node.id()).entrySet()) {
      CopyKey copy = new CopyKey(node.id(), other.getKey());
      if (free < dataset.size().bytes() && !kept.test(copy) && !isRead(copy)) {
        evict.add(other.getKey());
        free += other.getValue().size().bytes();
      }
    }
    return free < dataset.size().bytes() ? Optional.empty() : Optional.of(evict);
  }

  private boolean isRead(CopyKey copy) {
    for (JobEntry job : turn.jobs().running().on(copy.node())) {
      if (job.job().datasets().stream().anyMatch(each -> each.name().equals(copy.dataset()))) {
        return true;
      }
    }
    return false;
  }

  /** Cancels a transfer if that wastes less, in expectation, than completing it. */
  void cancelIfCheaper(CopyKey copy, double probability) {
    PrefetchedCopy bringing = books.underWay().get(copy);
    if (bringing != null && books.predictions().mayCancel(probability, moved(bringing))) {
      cancel(copy, probability);
    }
  }

  /** Cancels a transfer. */
  void cancel(CopyKey copy, double probability) {
    PrefetchedCopy bringing = books.underWay().get(copy);
    if (bringing != null) {
      books.cancel(copy, moved(bringing));
      turn.decide(
          new Decision.CancelPrefetch(
              copy.node(), copy.dataset(), new Reason.ExpectedRead(probability, 0)));
    }
  }

  private Instant now() {
    return turn.jobs().now();
  }
}
