package io.github.liquidscheduler.arbitrary;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.planning.PlanCertificate.JobCost;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Any batch plan. It need not fit any cluster. */
public final class PlanArbitraries {

  private PlanArbitraries() {}

  /** Returns plans that start, move and postpone up to two jobs each. */
  public static Arbitrary<BatchPlan> plans() {
    return JobArbitraries.ids()
        .list()
        .uniqueElements()
        .ofMaxSize(6)
        .flatMap(PlanArbitraries::plansOf)
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

  private static Arbitrary<BatchPlan> plansOf(List<JobId> jobs) {
    int third = jobs.size() / 3;
    return Combinators.combine(
            QuantityArbitraries.amounts(),
            placements(jobs.subList(0, third)),
            placements(jobs.subList(third, 2 * third)).flatMap(PlanArbitraries::migrations),
            certificates())
        .as(
            (request, starts, moves, certificate) ->
                new BatchPlan(
                    request, starts, moves, jobs.subList(2 * third, jobs.size()), certificate));
  }

  private static Arbitrary<List<Placement>> placements(List<JobId> jobs) {
    return Combinators.combine(jobs.stream().map(DecisionArbitraries::placements).toList())
        .as(places -> places);
  }

  private static Arbitrary<List<Migration>> migrations(List<Placement> places) {
    return Combinators.combine(places.stream().map(PlanArbitraries::migration).toList())
        .as(moves -> moves);
  }

  private static Arbitrary<Migration> migration(Placement place) {
    return Combinators.combine(costs(), costs())
        .as((cost, gain) -> new Migration(place.job(), place, cost, gain));
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
