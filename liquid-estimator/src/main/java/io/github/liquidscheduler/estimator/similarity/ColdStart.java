package io.github.liquidscheduler.estimator.similarity;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Places a class that the model has never seen by its probes: short co-locations with known
 * classes. The known classes whose completed table is nearest to the probes, by root mean square
 * over the cells probed, lend it theirs, each by the inverse square of its distance (k nearest
 * neighbours as in Gavel, section 6.1).
 */
final class ColdStart {
  private static final int NEIGHBOURS = 3;
  private static final double CLOSEST = 1e-2;

  /** A known class and how much of a new class it stands for. */
  record Share(int number, double weight) {}

  /** What was measured between the new class and a known one. */
  private record Probe(boolean isVictim, int other, int gpu, ObservedMean speed) {}

  private final ClassIndex classes;
  private final List<GpuModel> gpus;
  private final PairMatrix matrix;
  private final Map<WorkloadClass, Map<PairCell, Probe>> probes = new LinkedHashMap<>();
  private final Map<WorkloadClass, List<Share>> shares = new LinkedHashMap<>();

  ColdStart(ClassIndex classes, List<GpuModel> gpus, PairMatrix matrix) {
    this.classes = classes;
    this.gpus = gpus;
    this.matrix = matrix;
  }

  /**
   * Learns from a pair of which one class is known and the other is not.
   *
   * @param speed what was observed of the pair, which goes on following it
   */
  void observe(PairCell cell, ObservedMean speed) {
    int gpu = gpus.indexOf(cell.gpu());
    OptionalInt victim = classes.numberOf(cell.victim());
    OptionalInt aggressor = classes.numberOf(cell.aggressor());
    if (gpu < 0 || victim.isPresent() == aggressor.isPresent()) {
      return;
    }
    boolean newIsVictim = victim.isEmpty();
    WorkloadClass stranger = newIsVictim ? cell.victim() : cell.aggressor();
    int known = newIsVictim ? aggressor.getAsInt() : victim.getAsInt();
    probes
        .computeIfAbsent(stranger, key -> new LinkedHashMap<>())
        .putIfAbsent(cell, new Probe(newIsVictim, known, gpu, speed));
    shares.remove(stranger);
  }

  void clear() {
    probes.clear();
    shares.clear();
  }

  /** Returns the known classes that {@code workload} is like, or nothing if it was never probed. */
  Optional<List<Share>> sharesOf(WorkloadClass workload) {
    if (!probes.containsKey(workload)) {
      return Optional.empty();
    }
    return Optional.of(shares.computeIfAbsent(workload, this::nearest));
  }

  private List<Share> nearest(WorkloadClass workload) {
    List<Share> candidates = new ArrayList<>();
    for (int number = 0; number < classes.size(); number++) {
      candidates.add(new Share(number, closeness(number, workload)));
    }
    candidates.sort(Comparator.comparingDouble(Share::weight).reversed());
    List<Share> best = candidates.subList(0, Math.min(NEIGHBOURS, candidates.size()));
    double total = best.stream().mapToDouble(Share::weight).sum();
    return best.stream().map(share -> new Share(share.number(), share.weight() / total)).toList();
  }

  private double closeness(int candidate, WorkloadClass workload) {
    double squares = 0;
    int count = 0;
    for (Probe probe : probes.getOrDefault(workload, Map.of()).values()) {
      double expected =
          probe.isVictim()
              ? matrix.mean(candidate, probe.other(), probe.gpu())
              : matrix.mean(probe.other(), candidate, probe.gpu());
      squares += Math.pow(expected - probe.speed().mean(), 2);
      count++;
    }
    return 1 / (squares / count + CLOSEST * CLOSEST);
  }
}
