package io.github.liquidscheduler.planner.plan;

import com.google.common.collect.Ordering;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.planner.bound.LowerBound;
import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.planner.problem.AdmissionWeight;
import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.planning.PlanOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes plans of gang assignments, with their certificate. */
public final class PlanFinisher {
  private static final Logger LOG = LoggerFactory.getLogger(PlanFinisher.class);

  private final PlanningInput input;
  private final GangAssignment[] greedyAssignments;
  private final Finished greedy;

  /**
   * Makes a finisher that compares with the greedy plan and that of immediate mode, which may be
   * better once all gangs are placed: the search knows neither gangs over several GPU models nor,
   * exactly, the contention on links.
   *
   * @param greedy the assignments of the greedy plan
   */
  public PlanFinisher(PlanningInput input, GangAssignment[] greedy) {
    this.input = input;
    greedyAssignments = greedy.clone();
    Finished found = finished(input, greedy);
    Finished immediate = finished(input, input.immediateAssignments());
    this.greedy = immediate.isBetterThan(found) ? immediate : found;
  }

  /**
   * Returns a plan with these assignments or the greedy one, whichever is better once all gangs are
   * placed.
   *
   * @param movesEvaluated how many moves were evaluated
   */
  public BatchPlan plan(GangAssignment[] assignments, long movesEvaluated) {
    Finished best = Arrays.equals(assignments, greedyAssignments) ? greedy : better(assignments);
    PlanCertificate certificate =
        certificate(best.plan.assignments(), best.evaluation, movesEvaluated);
    PlanOptions options = input.request().options();
    if (best.equals(greedy) && options.time().isPresent() && movesEvaluated < options.steps()) {
      LOG.info(
          "Plan {} is no better than greedy after {} moves in {}; its gap is {}",
          input.request().number(),
          movesEvaluated,
          options.time().get(),
          certificate.gap());
    }
    return new BatchPlan(
        input.request().number(),
        best.plan.starts(),
        migrations(best),
        best.plan.postponed(),
        certificate);
  }

  private Finished better(GangAssignment[] assignments) {
    Finished found = finished(input, assignments);
    return greedy.isBetterThan(found) ? greedy : found;
  }

  /** Returns the certificate of a plan that is kept as it is, even if it is worse than greedy. */
  public PlanCertificate certificate(GangAssignment[] assignments, long movesEvaluated) {
    return certificate(assignments, new PlanEvaluation(input, assignments), movesEvaluated);
  }

  private PlanCertificate certificate(
      GangAssignment[] assignments, PlanEvaluation evaluation, long movesEvaluated) {
    int rounds = input.request().options().boundRounds();
    double scale = input.cost().scale();
    double bound = LowerBound.of(input.problem(), assignments, evaluation.total() * scale, rounds);
    double lower = Math.min(evaluation.total(), bound / scale);
    return new PlanCertificate(
        evaluation.total(),
        greedy.evaluation.total(),
        Math.max(0, lower),
        movesEvaluated,
        evaluation.topContributors());
  }

  private List<Migration> migrations(Finished best) {
    PlanAssembly found = best.plan;
    CostTerms units = input.cost();
    Occupancy occupancy = Occupancy.of(input.problem(), found.assignments());
    double saved = Math.max(0, greedy.evaluation.total() - best.evaluation.total());
    List<Migration> migrations = new ArrayList<>();
    for (Gang gang : input.problem().gangs()) {
      Placement to = found.migrations().get(gang.job.id());
      if (to != null) {
        double cost = units.fromUnits(gang.migrationCost);
        long weight = Math.max(0, greedy.waiting - best.waiting);
        double whole = cost + saved + weight / (double) AdmissionWeight.OF_GPU;
        OptionalLong alone = gain(occupancy, gang);
        double gain = alone.isPresent() ? units.fromUnits(alone.getAsLong()) : whole;
        migrations.add(new Migration(gang.job.id(), to, cost, gain));
      }
    }
    migrations.sort(
        Ordering.explicit(List.copyOf(found.migrations().keySet())).onResultOf(Migration::job));
    return migrations;
  }

  /**
   * Returns the added cost of the plan if only this job stayed where it runs; empty if others need
   * its GPUs there. Then it gains what the plan saves as a whole, its own cost apart, and a unit
   * for each GPU of work that could not start without it.
   */
  private static OptionalLong gain(Occupancy occupancy, Gang gang) {
    GangAssignment moved = occupancy.assignments[gang.id];
    long before = occupancy.soft() - gang.migrationCost;
    occupancy.remove(gang);
    boolean stays = occupancy.fits(gang, gang.home);
    if (stays) {
      occupancy.put(gang, gang.home);
    }
    long after = occupancy.soft();
    occupancy.remove(gang);
    occupancy.put(gang, moved);
    return stays ? OptionalLong.of(after - before) : OptionalLong.empty();
  }

  private static Finished finished(PlanningInput input, GangAssignment[] assignments) {
    PlanAssembly plan = PlanAssembly.of(input, assignments);
    AdmissionWeight weight = new AdmissionWeight(input.request().pending(), Set.of());
    long waiting = weight.of(plan.postponed()) + weight.missing(input.request(), plan.starts());
    return new Finished(plan, new PlanEvaluation(input, plan.assignments()), waiting);
  }

  /**
   * A plan once all gangs are placed.
   *
   * @param waiting the weight of all jobs that wait and of what smaller sizes lack, those too that
   *     are not part of the problem: a job that left capacity for one of them may have less weight
   *     than it
   */
  private record Finished(PlanAssembly plan, PlanEvaluation evaluation, long waiting) {
    boolean isBetterThan(Finished other) {
      return waiting < other.waiting
          || (waiting == other.waiting && evaluation.total() < other.evaluation.total());
    }
  }
}
