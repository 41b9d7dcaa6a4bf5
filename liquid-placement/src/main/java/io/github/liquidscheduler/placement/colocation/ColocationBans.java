package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.ColocationRecord.Ban;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Which workloads were seen to slow each other down too much on a GPU model, so that they do not
 * meet again: whom nobody may keep co-runners with who was promised more, and who does less
 * together than one after the other.
 */
final class ColocationBans {

  private record Pair(Workload victim, Workload other, GpuModel gpu) {
    Ban toRecord(OptionalDouble kept) {
      return new Ban(victim, other, gpu, kept);
    }
  }

  private final Map<Pair, Double> retained = new LinkedHashMap<>();
  private final Set<Pair> apart = new LinkedHashSet<>();

  /** Notes the part of its speed alone that a workload was seen to keep beside another. */
  void tooSlow(Workload victim, Workload other, GpuModel gpu, double kept) {
    retained.merge(new Pair(victim, other, gpu), kept, Math::min);
  }

  /** Notes that two workloads do less together than one after the other. */
  void apart(Workload one, Workload other, GpuModel gpu) {
    apart.add(new Pair(one, other, gpu));
    apart.add(new Pair(other, one, gpu));
  }

  List<Ban> toRecords() {
    List<Ban> records = new ArrayList<>();
    retained.forEach((pair, kept) -> records.add(pair.toRecord(OptionalDouble.of(kept))));
    apart.forEach(pair -> records.add(pair.toRecord(OptionalDouble.empty())));
    return records;
  }

  void restore(List<Ban> bans) {
    retained.clear();
    apart.clear();
    for (Ban ban : bans) {
      Pair pair = new Pair(ban.victim(), ban.other(), ban.gpu());
      ban.retained().ifPresentOrElse(kept -> retained.put(pair, kept), () -> apart.add(pair));
    }
  }

  /** Returns whether two of the candidate are not to meet. */
  boolean forbid(SharedGpu candidate) {
    if (retained.isEmpty() && apart.isEmpty()) {
      return false;
    }
    List<CoRunner> residents = candidate.residents();
    CoRunner candidateJob = candidate.candidateJob();
    for (int i = 0; i < residents.size(); i++) {
      if (forbid(candidateJob, residents.get(i), candidate.gpu())
          || forbid(residents.get(i), candidateJob, candidate.gpu())) {
        return true;
      }
    }
    return false;
  }

  private boolean forbid(CoRunner victim, CoRunner other, GpuModel gpu) {
    Pair pair = new Pair(victim.profile().workload(), other.profile().workload(), gpu);
    return apart.contains(pair)
        || (victim.sharing() instanceof Sharing.Guaranteed guaranteed
            && retained.getOrDefault(pair, 1.0) < guaranteed.floor());
  }
}
