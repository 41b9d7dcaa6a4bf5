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
import org.jspecify.annotations.Nullable;

/**
 * The workers that have reported the mini-batch that is being trained. Liveness follows from these
 * reports alone: who misses the patience twice in a row is taken for lost.
 */
final class StepBarrier {
  private static final int STRIKES = 2;
  private static final int MEDIANS = 8;

  private final Duration suspectAfter;
  private final Map<WorkerId, ToLeader.BatchEnd> reported = new LinkedHashMap<>();
  private final Set<WorkerId> failed = new LinkedHashSet<>();
  private @Nullable Instant begun;

  StepBarrier(Duration suspectAfter) {
    this.suspectAfter = suspectAfter;
  }

  void begin(Instant now) {
    begun = now;
    reported.clear();
    failed.clear();
  }

  void report(ToLeader.BatchEnd report) {
    reported.putIfAbsent(report.worker(), report);
    failed.remove(report.worker());
  }

  void fail(WorkerId worker) {
    if (!reported.containsKey(worker)) {
      failed.add(worker);
    }
  }

  /** Returns true if all have reported, be it that they failed. */
  boolean isComplete(List<WorkerId> members) {
    return members.stream().allMatch(this::hasAnswered);
  }

  boolean hasFailures() {
    return !failed.isEmpty();
  }

  List<ToLeader.BatchEnd> reports() {
    return List.copyOf(reported.values());
  }

  Duration elapsed(Instant now) {
    return begun == null ? Duration.ZERO : Duration.between(begun, now);
  }

  /** Returns the workers to be taken for lost. */
  List<WorkerId> silent(Instant now, List<WorkerId> members, Duration median) {
    if (begun == null || elapsed(now).compareTo(patience(median).multipliedBy(STRIKES)) < 0) {
      return List.of();
    }
    List<WorkerId> silent = new ArrayList<>(members);
    silent.removeIf(this::hasAnswered);
    return silent;
  }

  private Duration patience(Duration median) {
    Duration medians = median.multipliedBy(MEDIANS);
    return medians.compareTo(suspectAfter) > 0 ? medians : suspectAfter;
  }

  private boolean hasAnswered(WorkerId worker) {
    return reported.containsKey(worker) || failed.contains(worker);
  }
}
