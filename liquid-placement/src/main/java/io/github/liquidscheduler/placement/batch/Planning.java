package io.github.liquidscheduler.placement.batch;

import io.github.liquidscheduler.scheduling.BatchPlan;
import io.github.liquidscheduler.scheduling.Migration;
import io.github.liquidscheduler.scheduling.PlanCertificate;
import java.util.ArrayList;
import java.util.List;

/** Makes plans out of places, with their certificate. */
final class Planning {

  private final Draft draft;
  private final Place[] greedy;
  private final PlanPrice greedyPrice;

  private Planning(Draft draft, Place[] greedy) {
    this.draft = draft;
    this.greedy = greedy;
    greedyPrice = new PlanPrice(draft, greedy);
  }

  /**
   * Returns planning against the greedy plan.
   *
   * @param greedy the places of the greedy plan
   */
  static Planning against(Draft draft, Place[] greedy) {
    return new Planning(draft, greedy);
  }

  /**
   * Returns a plan with these places or the greedy one, whichever is better once all is in place.
   *
   * @param looks how many moves were looked at
   */
  BatchPlan plan(Place[] places, long looks) {
    PlanAssembly found = PlanAssembly.of(draft, places);
    PlanPrice price = new PlanPrice(draft, found.places());
    if (greedyPrice.isBetterThan(price)) {
      found = PlanAssembly.of(draft, greedy);
      price = new PlanPrice(draft, found.places());
    }
    return new BatchPlan(
        draft.request().id(),
        found.starts(),
        migrations(found, price),
        found.postponed(),
        certificate(found.places(), price, looks));
  }

  private PlanCertificate certificate(Place[] places, PlanPrice price, long looks) {
    int rounds = draft.request().options().boundRounds();
    double scale = draft.request().options().cost().scale();
    double bound = LowerBound.of(draft.problem(), places, price.total() * scale, rounds);
    double lower = Math.min(price.total(), bound / scale);
    return new PlanCertificate(
        price.total(), greedyPrice.total(), Math.max(0, lower), looks, price.dearest());
  }

  /** What a migration gains is what the plan would cost more if the job stayed at home. */
  private List<Migration> migrations(PlanAssembly found, PlanPrice price) {
    List<Migration> migrations = new ArrayList<>();
    found
        .migrations()
        .forEach(
            (job, to) -> {
              double cost = draft.request().migrationCosts().getOrDefault(job, 0.0);
              double gain = Math.max(0, greedyPrice.total() - price.total());
              migrations.add(new Migration(job, to, cost, gain));
            });
    return migrations;
  }
}
