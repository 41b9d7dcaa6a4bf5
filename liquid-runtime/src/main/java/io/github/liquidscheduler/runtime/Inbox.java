package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The events that were reported and not taken yet. Anybody adds; the deciding thread gathers all
 * that is there, dates it, and takes it one by one. Of several reports of one job's progress it
 * takes the last, unless something else happened to the job or to nodes in between: progress says
 * how far a job is since its first start, so the last says it all.
 */
final class Inbox {
  private final Queue<Offer> arrivals = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final Deque<Offer.Dated> gathered = new ArrayDeque<>();

  void add(Offer offer) {
    size.incrementAndGet();
    arrivals.add(offer);
  }

  int size() {
    return size.get();
  }

  boolean hasArrivals() {
    return !arrivals.isEmpty();
  }

  boolean hasGathered() {
    return !gathered.isEmpty();
  }

  /** Dates what has arrived, and returns the number of superseded reports. */
  int gather(Instant now) {
    List<Offer.@Nullable Dated> dated = new ArrayList<>();
    Map<JobId, Integer> reports = new HashMap<>();
    int superseded = 0;
    for (int left = size.get(); left > 0; left--) {
      @Nullable Offer offer = arrivals.poll();
      Offer.@Nullable Dated next = offer == null ? null : date(offer, now);
      if (next != null) {
        @Nullable Integer before = supersededBy(next.event(), dated.size(), reports);
        if (before != null) {
          drop(Objects.requireNonNull(dated.set(before, null)));
          superseded++;
        }
        dated.add(next);
      }
    }
    dated.stream().filter(Objects::nonNull).forEach(gathered::add);
    return superseded;
  }

  private Offer.@Nullable Dated date(Offer offer, Instant now) {
    try {
      return new Offer.Dated(offer.event().apply(now), offer);
    } catch (RuntimeException e) {
      size.decrementAndGet();
      offer.answer().completeExceptionally(e);
      return null;
    }
  }

  private static @Nullable Integer supersededBy(
      ClusterEvent event, int index, Map<JobId, Integer> reports) {
    return switch (event) {
      case ClusterEvent.JobProgressed progress -> reports.put(progress.job(), index);
      case ClusterEvent.AboutJob other -> {
        reports.remove(other.job());
        yield null;
      }
      case ClusterEvent.TimePassed passed -> null;
      default -> {
        reports.clear();
        yield null;
      }
    };
  }

  private void drop(Offer.Dated report) {
    size.decrementAndGet();
    report.offer().answer().complete(List.of());
  }

  /** Takes the next of what was gathered; null if nothing is left. */
  Offer.@Nullable Dated next() {
    Offer.@Nullable Dated next = gathered.poll();
    if (next != null) {
      size.decrementAndGet();
    }
    return next;
  }

  /** Answers all that has arrived and was not gathered; on any thread. */
  void refuseArrivals(RuntimeException why) {
    for (Offer offer = arrivals.poll(); offer != null; offer = arrivals.poll()) {
      size.decrementAndGet();
      offer.answer().completeExceptionally(why);
    }
  }

  void refuseAll(RuntimeException why) {
    for (Offer.Dated next = next(); next != null; next = next()) {
      next.offer().answer().completeExceptionally(why);
    }
    refuseArrivals(why);
  }
}
