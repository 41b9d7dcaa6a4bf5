package io.github.liquidscheduler.placement.sharing;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which workloads were seen to slow each other down too much on a GPU model, so that they do not
 * meet again: whom nobody may keep company with who was promised more, and who does less together
 * than one after the other.
 */
final class Separations {

  private record Pair(Workload victim, Workload other, GpuModel gpu) {}

  // Never iterated.
  private final Map<Pair, Double> retained = new HashMap<>();
  private final Map<Pair, Boolean> apart = new HashMap<>();

  /** Notes the part of its speed alone that a workload was seen to keep beside another. */
  void tooSlow(Workload victim, Workload other, GpuModel gpu, double kept) {
    retained.merge(new Pair(victim, other, gpu), kept, Math::min);
  }

  /** Notes that two workloads do less together than one after the other. */
  void apart(Workload one, Workload other, GpuModel gpu) {
    apart.put(new Pair(one, other, gpu), true);
    apart.put(new Pair(other, one, gpu), true);
  }

  /** Returns whether two of the candidate are not to meet. */
  boolean forbid(SharedGpu candidate) {
    if (retained.isEmpty() && apart.isEmpty()) {
      return false;
    }
    List<Occupant> residents = candidate.residents();
    Occupant newcomer = candidate.newcomer();
    for (int i = 0; i < residents.size(); i++) {
      if (forbid(newcomer, residents.get(i), candidate.gpu())
          || forbid(residents.get(i), newcomer, candidate.gpu())) {
        return true;
      }
    }
    return false;
  }

  private boolean forbid(Occupant victim, Occupant other, GpuModel gpu) {
    Pair pair = new Pair(victim.profile().workload(), other.profile().workload(), gpu);
    return apart.containsKey(pair)
        || (victim.sharing() instanceof Sharing.Guaranteed guaranteed
            && retained.getOrDefault(pair, 1.0) < guaranteed.floor());
  }
}
