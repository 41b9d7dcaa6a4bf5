package io.github.liquidscheduler.planner.plan;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.network.LinkLoads;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.placement.network.PhysicalCost;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.placement.network.Traffic;
import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.InterferenceScore;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.Problem;
import io.github.liquidscheduler.planner.problem.SlotTable;
import io.github.liquidscheduler.planning.PlanCertificate.JobCost;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prices a finished plan. In plain tiers that is what the search counted; by the physical model the
 * jobs are put on the links one after the other, in the order of the policy, and each costs what it
 * adds then: its own seconds and those it makes others lose.
 */
public final class PlanEvaluation {

  private static final int DEAREST = 10;

  private final CostTerms cost;
  private final Occupancy occupancy;
  private final Map<JobSpec, Double> byJob = new LinkedHashMap<>();
  private final double total;

  public PlanEvaluation(PlanningInput draft, GangAssignment[] places) {
    cost = draft.cost();
    Problem problem = draft.problem();
    occupancy = Occupancy.of(problem, places);
    NetworkParameters physical = cost.sharesLinks() ? cost.physicalParameters() : null;
    Map<JobSpec, Double> network =
        physical == null ? Map.of() : onTheLinks(draft, places, physical);
    double sum = cost.fromUnits(occupancy.softAlone());
    for (Gang gang : problem.gangs()) {
      GangAssignment place = places[gang.id];
      if (!place.isUnassigned()) {
        long alone = problem.prices()[gang.id].of(place.slots, place.byRole, place.slots.length);
        double more =
            physical == null ? 0 : network.getOrDefault(gang.job, 0.0) - cost.fromUnits(alone);
        byJob.put(gang.job, Math.max(0, cost.fromUnits(place.cost + besideOthers(gang)) + more));
        sum += more;
      }
    }
    total = Math.max(0, sum);
  }

  /** Returns the cost of the plan. */
  public double total() {
    return total;
  }

  /** Returns the jobs that cost most; what two jobs cost each other counts for both. */
  List<JobCost> dearest() {
    List<JobCost> costs = new ArrayList<>();
    byJob.forEach((job, price) -> costs.add(new JobCost(job.id(), price)));
    costs.sort(Comparator.comparingDouble(JobCost::cost).reversed());
    return costs.subList(0, Math.min(DEAREST, costs.size()));
  }

  private long besideOthers(Gang gang) {
    GangAssignment place = occupancy.places[gang.id];
    InterferenceScore neighbours = occupancy.neighbours;
    long own = neighbours.pair(gang.kind, gang.kind);
    long sum = 0;
    for (int i = 0; i < place.slots.length; i++) {
      int node = occupancy.slotTable.node[place.slots[i]];
      sum += place.tasks[i] * (neighbours.rate(gang.kind, node) - own * place.tasks[i]);
    }
    return sum;
  }

  private static Map<JobSpec, Double> onTheLinks(
      PlanningInput draft, GangAssignment[] places, NetworkParameters parameters) {
    ClusterTopology topology = draft.problem().slotTable().topology;
    NetworkModel model = NetworkModel.of(topology, parameters);
    LinkLoads loads = LinkLoads.none(model);
    for (Problem.Fixed fixed : draft.problem().fixed()) {
      TaskCounts counts = TaskCounts.of(topology, fixed.job(), fixed.placement());
      loads.add(Traffic.of(fixed.job()), counts);
    }
    PhysicalCost physical = PhysicalCost.of(model, loads);
    Map<JobSpec, Double> seconds = new LinkedHashMap<>();
    for (Gang gang : draft.problem().gangs()) {
      GangAssignment place = places[gang.id];
      if (!place.isUnassigned()) {
        TaskCounts counts = counts(draft.problem().slotTable(), gang, place);
        seconds.put(gang.job, physical.forJob(gang.job).of(counts));
        loads.add(Traffic.of(gang.job), counts);
      }
    }
    return seconds;
  }

  private static TaskCounts counts(SlotTable slotTable, Gang gang, GangAssignment place) {
    TaskCounts counts = new TaskCounts(slotTable.freeCpu.length, gang.roles);
    for (int i = 0; i < place.byRole.length; i++) {
      if (place.byRole[i] > 0) {
        counts.add(slotTable.node[place.slots[i / gang.roles]], i % gang.roles, place.byRole[i]);
      }
    }
    return counts;
  }
}
