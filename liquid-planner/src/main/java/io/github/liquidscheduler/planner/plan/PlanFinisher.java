package io.github.liquidscheduler.planner.plan;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/** Makes plans out of places, with their certificate. */
public final class PlanFinisher {

  private final PlanningInput draft;
  private final GangAssignment[] greedyPlaces;
  private final Finished greedy;

  private PlanFinisher(PlanningInput draft, GangAssignment[] greedy) {
    this.draft = draft;
    greedyPlaces = greedy.clone();
    Finished found = finished(draft, greedy);
    Finished immediate = finished(draft, draft.immediatePlaces());
    this.greedy = immediate.isBetterThan(found) ? immediate : found;
  }

  /**
   * Returns planning against the greedy plan and that of immediate mode, which may be better once
   * all is in place: the search knows neither gangs over several models nor, exactly, what links
   * are shared.
   *
   * @param greedy the places of the greedy plan
   */
  public static PlanFinisher against(PlanningInput draft, GangAssignment[] greedy) {
    return new PlanFinisher(draft, greedy);
  }

  /**
   * Returns a plan with these places or the greedy one, whichever is better once all is in place.
   *
   * @param looks how many moves were looked at
   */
  public BatchPlan plan(GangAssignment[] places, long looks) {
    Finished best = Arrays.equals(places, greedyPlaces) ? greedy : better(places);
    return new BatchPlan(
        draft.request().id(),
        best.plan.starts(),
        migrations(best),
        best.plan.postponed(),
        certificate(best.plan.places(), best.price, looks));
  }

  private Finished better(GangAssignment[] places) {
    Finished found = finished(draft, places);
    return greedy.isBetterThan(found) ? greedy : found;
  }

  /** Returns the certificate of a plan that is kept as it is, even if it is worse than greedy. */
  public PlanCertificate certificate(GangAssignment[] places, long looks) {
    return certificate(places, new PlanEvaluation(draft, places), looks);
  }

  private PlanCertificate certificate(GangAssignment[] places, PlanEvaluation price, long looks) {
    int rounds = draft.request().options().boundRounds();
    double scale = draft.cost().scale();
    double bound = LowerBound.of(draft.problem(), places, price.total() * scale, rounds);
    double lower = Math.min(price.total(), bound / scale);
    return new PlanCertificate(
        price.total(), greedy.price.total(), Math.max(0, lower), looks, price.dearest());
  }

  private List<Migration> migrations(Finished best) {
    PlanAssembly found = best.plan;
    CostTerms units = draft.cost();
    Occupancy occupancy = Occupancy.of(draft.problem(), found.places());
    double saved = Math.max(0, greedy.price.total() - best.price.total());
    List<Migration> migrations = new ArrayList<>();
    for (Gang gang : draft.problem().gangs()) {
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
    migrations.sort(Comparator.comparingInt(move -> order(found, move)));
    return migrations;
  }

  private static int order(PlanAssembly found, Migration migration) {
    return List.copyOf(found.migrations().keySet()).indexOf(migration.job());
  }

  /**
   * Returns what the plan would cost more if only this job stayed at home; empty if others need its
   * place there. Then it gains what the plan saves as a whole, its own cost apart, and a unit for
   * each GPU of work that could not start without.
   */
  private static OptionalLong gain(Occupancy occupancy, Gang gang) {
    GangAssignment moved = occupancy.places[gang.id];
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

  private static Finished finished(PlanningInput draft, GangAssignment[] places) {
    PlanAssembly plan = PlanAssembly.of(draft, places);
    long waiting = AdmissionWeight.of(draft.request().pending()).of(plan.postponed());
    return new Finished(plan, new PlanEvaluation(draft, plan.places()), waiting);
  }

  /**
   * A plan once all is in place.
   *
   * @param waiting the weight of all jobs that wait, those too that the arrays do not carry: a job
   *     that left room for one of them may be weight less than it
   */
  private record Finished(PlanAssembly plan, PlanEvaluation price, long waiting) {
    boolean isBetterThan(Finished other) {
      return waiting < other.waiting
          || (waiting == other.waiting && price.total() < other.price.total());
    }
  }
}
