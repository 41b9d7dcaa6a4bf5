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
 * Evaluates a finished plan. By pair tiers its cost is what the search counted; by the physical
 * model the jobs are put on the links one after the other, in the order of the policy, and each
 * costs what it adds then: its own seconds, and the contention it causes for those before it.
 */
public final class PlanEvaluation {

  private static final int TOP_CONTRIBUTORS = 10;

  private final CostTerms cost;
  private final Occupancy occupancy;
  private final Map<JobSpec, Double> byJob = new LinkedHashMap<>();
  private final double total;

  /**
   * Evaluates a plan.
   *
   * @param assignments the assignment of each gang, by its id
   */
  public PlanEvaluation(PlanningInput input, GangAssignment[] assignments) {
    cost = input.cost();
    Problem problem = input.problem();
    occupancy = Occupancy.of(problem, assignments);
    NetworkParameters physical = cost.sharesLinks() ? cost.physicalParameters() : null;
    Map<JobSpec, Double> network =
        physical == null ? Map.of() : onTheLinks(input, assignments, physical);
    double sum = cost.fromUnits(occupancy.softAlone());
    for (Gang gang : problem.gangs()) {
      GangAssignment assignment = assignments[gang.id];
      if (!assignment.isUnassigned()) {
        long alone =
            problem.networkCosts()[gang.id].of(
                assignment.slots, assignment.byRole, assignment.slots.length);
        double more =
            physical == null ? 0 : network.getOrDefault(gang.job, 0.0) - cost.fromUnits(alone);
        byJob.put(
            gang.job, Math.max(0, cost.fromUnits(assignment.cost + besideOthers(gang)) + more));
        sum += more;
      }
    }
    total = Math.max(0, sum);
  }

  /** Returns the cost of the plan. */
  public double total() {
    return total;
  }

  /** Returns the jobs that cost most; the interference of two jobs counts for both. */
  List<JobCost> topContributors() {
    List<JobCost> costs = new ArrayList<>();
    byJob.forEach((job, cost) -> costs.add(new JobCost(job.id(), cost)));
    costs.sort(Comparator.comparingDouble(JobCost::cost).reversed());
    return costs.subList(0, Math.min(TOP_CONTRIBUTORS, costs.size()));
  }

  private long besideOthers(Gang gang) {
    GangAssignment assignment = occupancy.assignments[gang.id];
    long sum = 0;
    for (int i = 0; i < assignment.slots.length; i++) {
      int node = occupancy.slotTable.node[assignment.slots[i]];
      sum += occupancy.interference.besideOthers(gang.interferenceClass, node, assignment.tasks[i]);
    }
    return sum;
  }

  private static Map<JobSpec, Double> onTheLinks(
      PlanningInput input, GangAssignment[] assignments, NetworkParameters parameters) {
    SlotTable slotTable = input.problem().slotTable();
    ClusterTopology topology = slotTable.topology;
    NetworkModel model = NetworkModel.of(topology, parameters);
    LinkLoads loads = LinkLoads.none(model);
    for (Problem.Fixed fixed : input.problem().fixed()) {
      TaskCounts counts = TaskCounts.of(topology, fixed.job(), fixed.placement());
      loads.add(Traffic.of(fixed.job()), counts);
    }
    PhysicalCost physical = PhysicalCost.of(model, loads);
    Map<JobSpec, Double> seconds = new LinkedHashMap<>();
    for (Gang gang : input.problem().gangs()) {
      GangAssignment assignment = assignments[gang.id];
      if (!assignment.isUnassigned()) {
        TaskCounts counts = new TaskCounts(topology.nodes().size(), gang.roles);
        slotTable.count(assignment.slots, assignment.byRole, assignment.slots.length, counts);
        seconds.put(gang.job, physical.forJob(gang.job).of(counts));
        loads.add(Traffic.of(gang.job), counts);
      }
    }
    return seconds;
  }
}
