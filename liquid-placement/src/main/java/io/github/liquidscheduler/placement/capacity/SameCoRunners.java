package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import java.util.HashMap;
import java.util.Map;

/**
 * Interns equal co-runners and their equal parts, so that look-ups seldom compare part by part.
 * Entries are forgotten now and then. Not thread-safe.
 */
final class SameCoRunners {

  private static final int MOST = 65_536;

  // None of these is ever iterated.
  private final Map<CoRunnerKey, CoRunnerKey> keys = new HashMap<>();
  private final Map<CoRunnerKind, CoRunnerKind> kinds = new HashMap<>();
  private final Map<Workload, Workload> workloads = new HashMap<>();
  private final Map<Sharing, Sharing> sharings = new HashMap<>();

  /** Returns the co-runner that stands for all equal ones. */
  CoRunnerKey of(CoRunnerKey key) {
    if (keys.size() >= MOST) {
      keys.clear();
      kinds.clear();
      workloads.clear();
      sharings.clear();
    }
    return keys.computeIfAbsent(key, this::withSameParts);
  }

  private CoRunnerKey withSameParts(CoRunnerKey key) {
    CoRunnerKind kind = kinds.computeIfAbsent(key.kind(), this::withSameParts);
    return new CoRunnerKey(kind, key.share(), key.memory());
  }

  private CoRunnerKind withSameParts(CoRunnerKind kind) {
    return new CoRunnerKind(
        workloads.computeIfAbsent(kind.workload(), first -> first),
        sharings.computeIfAbsent(kind.sharing(), first -> first));
  }
}
