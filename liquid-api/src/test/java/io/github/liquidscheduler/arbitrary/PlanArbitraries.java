package io.github.liquidscheduler.arbitrary;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.planning.PlanCertificate.JobCost;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Any batch plan. It need not fit any cluster. */
public final class PlanArbitraries {

  private PlanArbitraries() {}

  /** Returns plans that start, move and postpone up to two jobs each. */
  public static Arbitrary<BatchPlan> plans() {
    return Combinators.combine(
            QuantityArbitraries.amounts(),
            DecisionArbitraries.placements().list().uniqueElements(Placement::job).ofMaxSize(6),
            migrations().list().ofSize(2),
            certificates())
        .as(PlanArbitraries::plan)
        .withoutEdgeCases();
  }

  /** Returns certificates whose bound is a bound. */
  public static Arbitrary<PlanCertificate> certificates() {
    return Combinators.combine(
            costs(),
            costs(),
            Arbitraries.doubles().between(0, 1),
            QuantityArbitraries.amounts(),
            jobCosts())
        .as(
            (cost, greedy, part, moves, topContributors) ->
                new PlanCertificate(cost, greedy, cost * part, moves, topContributors))
        .withoutEdgeCases();
  }

  /** Starts the first third, moves the second and postpones the rest. */
  private static BatchPlan plan(
      long request,
      List<Placement> places,
      List<Function<Placement, Migration>> moves,
      PlanCertificate certificate) {
    int third = places.size() / 3;
    return new BatchPlan(
        request,
        places.subList(0, third),
        IntStream.range(0, third).mapToObj(i -> moves.get(i).apply(places.get(third + i))).toList(),
        places.stream().skip(2L * third).map(Placement::job).toList(),
        certificate);
  }

  private static Arbitrary<Function<Placement, Migration>> migrations() {
    return Combinators.combine(costs(), costs())
        .as((cost, gain) -> place -> new Migration(place.job(), place, cost, gain));
  }

  private static Arbitrary<List<JobCost>> jobCosts() {
    return Combinators.combine(JobArbitraries.ids(), costs())
        .as(JobCost::new)
        .list()
        .uniqueElements(JobCost::job)
        .ofMaxSize(3)
        .map(
            costs ->
                costs.stream()
                    .sorted(Comparator.comparingDouble(JobCost::cost).reversed())
                    .toList());
  }

  private static Arbitrary<Double> costs() {
    return Arbitraries.doubles().between(0, 1e12);
  }
}
