package io.github.liquidscheduler.simulator.baseline.grouping;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planner.PlanCost;
import io.github.liquidscheduler.planner.plan.PlanFinisher;
import io.github.liquidscheduler.planner.plan.PlanningInput;
import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.Problem;
import io.github.liquidscheduler.planner.problem.ProblemBuilder;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.simulator.baseline.TaskByTaskPlacer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Plans as Liquid does (Gu et al., TPDS 33(11), 2022, section 4.3), by a grouping genetic algorithm
 * under Liquid's own cost. Which jobs start is decided first: those that its best fit finds a place
 * for, in the order of the policy, so that of jobs that do not fit together the last is left out.
 * The search then looks for better places for these. Kept to compare with; running jobs stay where
 * they are, and a plan before is not looked at.
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
    PlanningInput draft = new PlanningInput(request, cost.terms());
    ClusterState state = ClusterState.copyOf(request.view());
    Map<JobId, Placement> starts = new LinkedHashMap<>();
    for (JobSpec job : request.pending()) {
      if (!draft.isCarried(job)) {
        draft.immediate(job.id()).ifPresent(place -> take(state, job, place, starts));
      }
    }
    Map<JobSpec, Placement> admitted = admit(draft, state.copy());
    long looks = admitted.isEmpty() ? 0 : search(state, admitted, request.options(), starts);
    return assemble(draft, starts, looks);
  }

  private static Map<JobSpec, Placement> admit(PlanningInput draft, ClusterState state) {
    Placer bestFit = TaskByTaskPlacer.liquid();
    Map<JobSpec, Placement> admitted = new LinkedHashMap<>();
    for (JobSpec job : draft.request().pending()) {
      if (draft.isCarried(job)) {
        bestFit
            .place(state, job)
            .ifPresent(
                place -> {
                  state.apply(job, place);
                  admitted.put(job, place);
                });
      }
    }
    return admitted;
  }

  /** Adds the best places found, and returns how many plans were looked at. */
  private static long search(
      ClusterState state,
      Map<JobSpec, Placement> admitted,
      PlanOptions options,
      Map<JobId, Placement> starts) {
    GroupingProblem problem = new GroupingProblem(state, admitted);
    GroupingSearch search = new GroupingSearch(problem, options);
    NodePacking best = search.improve(problem.of(admitted));
    problem.placements(best).forEach(place -> starts.put(place.job(), place));
    return search.looks();
  }

  private static void take(
      ClusterState state, JobSpec job, Placement place, Map<JobId, Placement> starts) {
    state.apply(job, place);
    starts.put(job.id(), place);
  }

  private static BatchPlan assemble(PlanningInput draft, Map<JobId, Placement> starts, long looks) {
    List<Placement> inOrder = new ArrayList<>();
    List<JobId> postponed = new ArrayList<>();
    for (JobSpec job : draft.request().pending()) {
      Placement start = starts.get(job.id());
      if (start == null) {
        postponed.add(job.id());
      } else {
        inOrder.add(start);
      }
    }
    return new BatchPlan(
        draft.request().id(), inOrder, List.of(), postponed, certificate(draft, starts, looks));
  }

  private static PlanCertificate certificate(
      PlanningInput draft, Map<JobId, Placement> starts, long looks) {
    Problem problem = draft.problem();
    GangAssignment[] places = new GangAssignment[problem.gangs().length];
    for (Gang gang : problem.gangs()) {
      Placement start = starts.get(gang.job.id());
      places[gang.id] = start == null ? gang.home : ProblemBuilder.placeOf(problem, gang, start);
    }
    return PlanFinisher.against(draft, draft.greedy().places).certificate(places, looks);
  }
}
