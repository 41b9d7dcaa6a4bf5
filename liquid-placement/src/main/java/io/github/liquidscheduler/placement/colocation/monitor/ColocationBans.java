package io.github.liquidscheduler.placement.colocation.monitor;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.monitor.ColocationRecord.Ban;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pairs of workloads that were measured to slow each other down too much on a GPU model and are not
 * co-located again: pairs in which a victim retained less than its promise, and pairs that together
 * achieve less than one after the other. Immutable.
 */
final class ColocationBans {

  static final ColocationBans NONE = new ColocationBans(Map.of(), Set.of());

  private record Pair(Workload victim, Workload other, GpuModel gpu) {

    // Called very often, also by a JVM that has just started.
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Pair that
          && victim.equals(that.victim)
          && this.other.equals(that.other)
          && gpu.equals(that.gpu);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * victim.hashCode() + other.hashCode()) + gpu.hashCode();
    }

    Ban toRecord(OptionalDouble kept) {
      return new Ban(victim, other, gpu, kept);
    }
  }

  private final Map<Pair, Double> retained;
  private final Set<Pair> always;

  private ColocationBans(Map<Pair, Double> retained, Set<Pair> always) {
    this.retained = new LinkedHashMap<>(retained);
    this.always = new LinkedHashSet<>(always);
  }

  /** Returns these bans and that of a workload with this retained speed beside another. */
  ColocationBans tooSlow(Workload victim, Workload other, GpuModel gpu, double kept) {
    ColocationBans more = new ColocationBans(retained, always);
    more.retained.merge(new Pair(victim, other, gpu), kept, Math::min);
    return more;
  }

  /** Returns these bans and that of two workloads that are never worth co-locating. */
  ColocationBans apart(Workload one, Workload other, GpuModel gpu) {
    ColocationBans more = new ColocationBans(retained, always);
    more.always.add(new Pair(one, other, gpu));
    more.always.add(new Pair(other, one, gpu));
    return more;
  }

  List<Ban> toRecords() {
    List<Ban> records = new ArrayList<>();
    retained.forEach((pair, kept) -> records.add(pair.toRecord(OptionalDouble.of(kept))));
    always.forEach(pair -> records.add(pair.toRecord(OptionalDouble.empty())));
    return records;
  }

  static ColocationBans of(List<Ban> records) {
    ColocationBans bans = new ColocationBans(Map.of(), Set.of());
    for (Ban ban : records) {
      Pair pair = new Pair(ban.victim(), ban.other(), ban.gpu());
      ban.retained()
          .ifPresentOrElse(kept -> bans.retained.put(pair, kept), () -> bans.always.add(pair));
    }
    return bans;
  }

  /** Returns true if a victim with this floor must not run beside another workload. */
  boolean forbid(Workload victim, Workload other, GpuModel gpu, double floor) {
    if (retained.isEmpty() && always.isEmpty()) {
      return false;
    }
    Pair pair = new Pair(victim, other, gpu);
    return always.contains(pair) || retained.getOrDefault(pair, 1.0) < floor;
  }
}
