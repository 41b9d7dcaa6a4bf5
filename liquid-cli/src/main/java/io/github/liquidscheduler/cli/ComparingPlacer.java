package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.algorithm.Algorithms;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.simulator.alternatives.PlacementComparison;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/** Delegates to a placer, and keeps the alternatives of each placement. */
final class ComparingPlacer implements Placer {

  private final String name;
  private final Placer placer;
  private final SequencedMap<String, Placer> all = new LinkedHashMap<>();
  private final boolean compares;
  private final Map<JobId, PlacementComparison> comparisons = new HashMap<>();

  ComparingPlacer(String name, Placer placer, boolean compares) {
    this.name = name;
    this.placer = placer;
    this.compares = compares;
    Algorithms.placers().forEach(other -> all.put(other, Algorithms.placer(other, 0)));
    all.put(name, placer);
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    if (!compares) {
      return placer.place(view, job);
    }
    Optional<PlacementComparison> comparison = PlacementComparison.of(view, job, name, all);
    comparison.ifPresent(found -> comparisons.put(job.id(), found));
    return comparison.map(found -> found.chosen().placement());
  }

  @Override
  public boolean isInfeasible(ClusterView idle, JobSpec job) {
    return placer.isInfeasible(idle, job);
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return placer.unmetConstraints(view, job);
  }

  /** Returns the alternatives of a placement; empty if it is not the last one of its job. */
  Optional<PlacementComparison> comparison(Placement placement) {
    return Optional.ofNullable(comparisons.get(placement.job()))
        .filter(found -> found.chosen().placement().equals(placement));
  }
}
