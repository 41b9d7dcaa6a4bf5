package io.github.liquidscheduler.simulator.alternatives;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.CostBreakdown;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The placement that a placer chose for a job beside alternatives, each with its cost by the
 * physical network model.
 *
 * @param rejected the other placements looked at, the cheapest first; no two with the same tasks on
 *     the same nodes
 */
public record PlacementComparison(Candidate chosen, List<Candidate> rejected) {

  /** Copies the placements. */
  public PlacementComparison {
    Objects.requireNonNull(chosen, "chosen");
    rejected = List.copyOf(rejected);
  }

  /**
   * Compares the placement that a placer chooses now with those it chooses without nodes of that
   * placement and in each other domain of the topology, and with those of other placers. Costs as
   * many placements; for explanations.
   *
   * @param name the name of the choosing placer
   * @param placers all placers by name, that one included, in the order in which they are asked
   * @return the comparison, or empty if the placer finds no placement
   * @throws IllegalArgumentException if {@code placers} has no such name
   */
  public static Optional<PlacementComparison> of(
      ClusterView view, JobSpec job, String name, SequencedMap<String, Placer> placers) {
    Placer placer = placers.get(name);
    if (placer == null) {
      throw new IllegalArgumentException(
          "a placer must be one of %s, but was '%s'"
              .formatted(String.join(", ", placers.keySet()), name));
    }
    return placer
        .place(view, job)
        .map(chosen -> new Alternatives(view, job, name, placers).to(chosen));
  }

  /**
   * A placement of the job.
   *
   * @param origin its origin, such as {@code least-cost without node 'n1'}
   */
  public record Candidate(String origin, Placement placement, CostBreakdown cost) {
    /** Checks that nothing is null. */
    public Candidate {
      Objects.requireNonNull(origin, "origin");
      Objects.requireNonNull(placement, "placement");
      Objects.requireNonNull(cost, "cost");
    }
  }
}
