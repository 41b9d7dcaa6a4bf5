package io.github.liquidscheduler.estimator.similarity;

import io.github.liquidscheduler.estimator.similarity.Resemblance.Share;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Finds what a class that the model has never seen is like, by its probes: short co-locations with
 * known classes. The known classes whose completed table is nearest to the probes, by root mean
 * square over the cells probed, lend it theirs, each by the inverse square of its distance (k
 * nearest neighbours as in Gavel, section 6.1). Immutable.
 */
final class ColdStart {
  private static final int NEIGHBOURS = 3;
  private static final double CLOSEST = 1e-2;

  /** What was measured between the new class and a known one. */
  private record Probe(boolean isVictim, int other, int gpu, double speed) {}

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
   * Returns the state after a pair was observed of which the model knows one class and not the
   * other; the same after any other pair.
   *
   * @param mean the mean of what was observed of the pair
   */
  ColdStart with(PairCell cell, double mean) {
    int gpu = gpus.indexOf(cell.gpu());
    OptionalInt victim = classes.numberOf(cell.victim());
    OptionalInt aggressor = classes.numberOf(cell.aggressor());
    if (gpu < 0 || victim.isPresent() == aggressor.isPresent()) {
      return this;
    }
    boolean newIsVictim = victim.isEmpty();
    WorkloadClass stranger = newIsVictim ? cell.victim() : cell.aggressor();
    int known = newIsVictim ? aggressor.getAsInt() : victim.getAsInt();
    Map<PairCell, Probe> own = new LinkedHashMap<>(probes.getOrDefault(stranger, Map.of()));
    own.put(cell, new Probe(newIsVictim, known, gpu, mean));
    ColdStart after = new ColdStart(classes, gpus, matrix);
    after.probes.putAll(probes);
    after.probes.put(stranger, own);
    after.shares.putAll(shares);
    after.shares.put(stranger, after.nearest(stranger));
    return after;
  }

  /**
   * Returns the stand-in for a class: itself if it is known, else what its probes resemble, else
   * the nearest of its family, else the average class.
   */
  Resemblance resemblance(WorkloadClass workload) {
    OptionalInt known = classes.numberOf(workload);
    if (known.isPresent()) {
      return Resemblance.to(known.getAsInt(), workload, Provenance.LEARNED);
    }
    List<Share> probed = shares.get(workload);
    if (probed != null) {
      return new Resemblance(workload, probed, Provenance.SIMILAR);
    }
    OptionalInt relative = classes.nearestInFamily(workload);
    return relative.isPresent()
        ? Resemblance.to(relative.getAsInt(), workload, Provenance.SIMILAR)
        : Resemblance.to(matrix.everyone(), workload, Provenance.DEFAULT);
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
      squares += Math.pow(expected - probe.speed(), 2);
      count++;
    }
    return 1 / (squares / count + CLOSEST * CLOSEST);
  }
}
