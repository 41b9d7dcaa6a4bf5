package io.github.liquidscheduler.lab.baseline.grouping;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.lab.baseline.BaselinePlacers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planner.PlanCost;
import io.github.liquidscheduler.planner.plan.PlanFinisher;
import io.github.liquidscheduler.planner.plan.PlanningInput;
import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.GangPlacements;
import io.github.liquidscheduler.planner.problem.Problem;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Plans as Liquid does (Gu et al., TPDS 33(11), 2022, section 4.3), by a grouping genetic algorithm
 * under Liquid's own cost. Which jobs start is decided first: those that its best fit finds an
 * assignment for, in the order of the policy, so that of jobs that do not fit together the last is
 * left out. The search then looks for better assignments for these. Kept to compare with; running
 * jobs stay where they are, and a plan before is not looked at.
 *
 * <p>A step is a plan looked at. Of a limit of time it knows nothing.
 */
public final class GroupingPlanner implements BatchPlanner {

  private final PlanCost cost;

  /** Makes the planner; {@code cost} is what its plans are charged, not what it searches by. */
  public GroupingPlanner(PlanCost cost) {
    this.cost = Objects.requireNonNull(cost, "cost");
  }

  @Override
  public BatchPlan plan(PlanRequest request) {
    PlanningInput input = new PlanningInput(request, cost.terms());
    ClusterState state = ClusterState.copyOf(request.view());
    Map<JobId, Placement> starts = new LinkedHashMap<>();
    for (JobSpec job : request.pending()) {
      if (!input.isCarried(job)) {
        input.immediate(job.id()).ifPresent(assignment -> take(state, job, assignment, starts));
      }
    }
    Map<JobSpec, Placement> admitted = admit(input, state.copy());
    long movesEvaluated =
        admitted.isEmpty() ? 0 : search(state, admitted, request.options(), starts);
    return assemble(input, starts, movesEvaluated);
  }

  private static Map<JobSpec, Placement> admit(PlanningInput input, ClusterState state) {
    Placer bestFit = BaselinePlacers.liquid();
    Map<JobSpec, Placement> admitted = new LinkedHashMap<>();
    for (JobSpec job : input.request().pending()) {
      if (input.isCarried(job)) {
        bestFit
            .place(state, job)
            .ifPresent(
                assignment -> {
                  state.apply(job, assignment);
                  admitted.put(job, assignment);
                });
      }
    }
    return admitted;
  }

  /** Adds the best assignments found, and returns how many plans were looked at. */
  private static long search(
      ClusterState state,
      Map<JobSpec, Placement> admitted,
      PlanOptions options,
      Map<JobId, Placement> starts) {
    GroupingProblem problem = new GroupingProblem(state, admitted);
    GroupingSearch search = new GroupingSearch(problem, options);
    NodePacking best = search.improve(problem.of(admitted));
    problem.placements(best).forEach(assignment -> starts.put(assignment.job(), assignment));
    return search.movesEvaluated();
  }

  private static void take(
      ClusterState state, JobSpec job, Placement assignment, Map<JobId, Placement> starts) {
    state.apply(job, assignment);
    starts.put(job.id(), assignment);
  }

  private static BatchPlan assemble(
      PlanningInput input, Map<JobId, Placement> starts, long movesEvaluated) {
    List<Placement> inOrder = new ArrayList<>();
    List<JobId> postponed = new ArrayList<>();
    for (JobSpec job : input.request().pending()) {
      Placement start = starts.get(job.id());
      if (start == null) {
        postponed.add(job.id());
      } else {
        inOrder.add(start);
      }
    }
    return new BatchPlan(
        input.request().number(),
        inOrder,
        List.of(),
        postponed,
        certificate(input, starts, movesEvaluated));
  }

  private static PlanCertificate certificate(
      PlanningInput input, Map<JobId, Placement> starts, long movesEvaluated) {
    Problem problem = input.problem();
    GangAssignment[] assignments = new GangAssignment[problem.gangs().length];
    for (Gang gang : problem.gangs()) {
      Placement start = starts.get(gang.job.id());
      assignments[gang.id] =
          start == null ? gang.home : GangPlacements.assignmentOf(problem, gang, start);
    }
    return new PlanFinisher(input, input.greedy().assignments)
        .certificate(assignments, movesEvaluated);
  }
}
