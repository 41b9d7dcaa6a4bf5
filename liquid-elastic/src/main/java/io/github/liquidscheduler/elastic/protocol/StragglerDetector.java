package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.ScalingAnswer.StragglerFound;
import io.github.liquidscheduler.elastic.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds workers that are slower than the others for good: whose computation took over 1.2 times the
 * median in at least eight of the last ten mini-batches. Of an even number of workers the median is
 * the faster of the two in the middle, so that one of two can be a straggler. Mini-batches in which
 * a worker had nothing to read do not count for it.
 */
final class StragglerDetector {
  private static final double SLOW = 1.2;
  private static final int WINDOW = 10;
  private static final int SLOW_OF_WINDOW = 8;
  private static final int FEWEST_WORKERS = 2;

  private final Duration cooldown;
  private final Map<WorkerId, Deque<Boolean>> slow = new LinkedHashMap<>();
  private @Nullable Instant lastFound;
  private Map<WorkerId, Duration> latest = Map.of();

  StragglerDetector(Duration cooldown) {
    this.cooldown = cooldown;
  }

  /** Takes the computation times of a mini-batch, and returns a straggler if one is to be told. */
  Optional<StragglerFound> observe(Instant now, List<ToLeader.BatchEnd> reports) {
    latest = computeTimes(reports);
    if (latest.size() < FEWEST_WORKERS) {
      return Optional.empty();
    }
    latest.forEach((worker, time) -> note(worker, time.toNanos() > SLOW * median()));
    Optional<StragglerFound> found =
        isCoolingDown(now)
            ? Optional.empty()
            : latest.keySet().stream().filter(this::isStraggler).findFirst().map(this::describe);
    found.ifPresent(straggler -> lastFound = now);
    return found;
  }

  /** Forgets workers that no longer train. */
  void retain(List<WorkerId> members) {
    slow.keySet().retainAll(members);
  }

  /** Returns true if the others, without waiting for this worker, read more samples per second. */
  boolean dropPays(WorkerId worker) {
    if (!latest.containsKey(worker) || latest.size() < FEWEST_WORKERS) {
      return false;
    }
    List<Duration> others = new ArrayList<>(latest.values());
    double slowest = Collections.max(others).toNanos();
    others.remove(latest.get(worker));
    double slowestOther = Collections.max(others).toNanos();
    return others.size() / slowestOther > latest.size() / slowest;
  }

  private static Map<WorkerId, Duration> computeTimes(List<ToLeader.BatchEnd> reports) {
    Map<WorkerId, Duration> times = new LinkedHashMap<>();
    for (ToLeader.BatchEnd report : reports) {
      if (report.progress() != null && report.compute().isPositive()) {
        times.put(report.worker(), report.compute());
      }
    }
    return times;
  }

  private void note(WorkerId worker, boolean wasSlow) {
    Deque<Boolean> window = slow.computeIfAbsent(worker, none -> new ArrayDeque<>());
    window.addLast(wasSlow);
    if (window.size() > WINDOW) {
      window.removeFirst();
    }
  }

  private boolean isStraggler(WorkerId worker) {
    Deque<Boolean> window = slow.getOrDefault(worker, new ArrayDeque<>());
    return window.stream().filter(was -> was).count() >= SLOW_OF_WINDOW;
  }

  private StragglerFound describe(WorkerId worker) {
    double slowdown = latest.getOrDefault(worker, Duration.ZERO).toNanos() / median();
    return new StragglerFound(worker, slowdown, dropPays(worker));
  }

  private double median() {
    List<Duration> times = latest.values().stream().sorted().toList();
    return times.get((times.size() - 1) / 2).toNanos();
  }

  private boolean isCoolingDown(Instant now) {
    return lastFound != null && now.isBefore(lastFound.plus(cooldown));
  }
}
