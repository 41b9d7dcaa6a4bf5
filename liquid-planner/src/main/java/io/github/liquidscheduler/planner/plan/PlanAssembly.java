package io.github.liquidscheduler.planner.plan;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.GangPlacements;
import io.github.liquidscheduler.planner.problem.Problem;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns gang assignments into placements by applying them, one by one, to a copy of the cluster:
 * migrations first, each as soon as it fits, then the starts. What does not fit after all is left
 * out, so the placements can be carried out in their order.
 */
public final class PlanAssembly {

  private final PlanningInput input;
  private final Problem problem;
  private final BatchStarts starts;
  private final GangPlacements placements;
  private final Map<JobId, Placement> migrations = new LinkedHashMap<>();
  private final GangAssignment[] real;

  private PlanAssembly(PlanningInput input) {
    this.input = input;
    problem = input.problem();
    starts = new BatchStarts(input.request());
    placements = new GangPlacements(problem, starts.state());
    real = Arrays.stream(problem.gangs()).map(gang -> gang.home).toArray(GangAssignment[]::new);
  }

  /** Returns the placements of a plan. */
  public static PlanAssembly of(PlanningInput input, GangAssignment[] assignments) {
    PlanAssembly assembly = new PlanAssembly(input);
    assembly.startOthers();
    assembly.migrate(assignments);
    assembly.start(assignments);
    assembly.startRest();
    return assembly;
  }

  /** Returns the placements of the starts, in the order of the policy. */
  List<Placement> starts() {
    return starts.inOrder();
  }

  /** Returns the new placements of running jobs, in the order in which they fit. */
  Map<JobId, Placement> migrations() {
    return migrations;
  }

  /** Returns the jobs that wait, in the order of the policy. */
  public List<JobId> postponed() {
    return starts.postponed();
  }

  /** Returns the assignments of the gangs as far as they could be applied. */
  public GangAssignment[] assignments() {
    return real;
  }

  /** Starts the jobs that are not part of the problem where immediate mode placed them. */
  private void startOthers() {
    for (JobSpec job : input.request().pending()) {
      if (!input.isCarried(job)) {
        input.immediate(job.id()).ifPresent(placement -> starts.start(job, placement));
      }
    }
  }

  private void migrate(GangAssignment[] assignments) {
    Deque<Gang> left = new ArrayDeque<>();
    for (Gang gang : problem.gangs()) {
      if (!gang.home.isUnassigned()
          && !assignments[gang.id].isUnassigned()
          && !assignments[gang.id].isSameAs(gang.home)) {
        left.add(gang);
      }
    }
    int stuck = 0;
    while (stuck < left.size()) {
      Gang gang = left.removeFirst();
      if (migrate(gang, assignments[gang.id])) {
        stuck = 0;
      } else {
        left.addLast(gang);
        stuck++;
      }
    }
  }

  private boolean migrate(Gang gang, GangAssignment assignment) {
    ClusterState state = starts.state();
    JobId job = gang.job.id();
    state.trials().suspend(job);
    Optional<Placement> to = placements.placement(gang, assignment);
    state.trials().resume(job);
    to.ifPresent(
        placement -> {
          state.release(job);
          state.apply(gang.job, placement);
          migrations.put(job, placement);
          real[gang.id] = assignment;
        });
    return to.isPresent();
  }

  private void start(GangAssignment[] assignments) {
    for (Gang gang : problem.gangs()) {
      GangAssignment assignment = assignments[gang.id];
      if (gang.home.isUnassigned() && !assignment.isUnassigned()) {
        placements
            .placement(gang, assignment)
            .ifPresent(
                placement -> {
                  starts.start(gang.job, placement);
                  real[gang.id] = assignment;
                });
      }
    }
  }

  /**
   * Starts the jobs that are left wherever they fit, and others at larger sizes if those fit. What
   * starts at a size for which there is no gang is no assignment, and costs nothing.
   */
  private void startRest() {
    starts.startRest(BestFitPlacer.bestFit());
    starts.enlarge(BestFitPlacer.bestFit(), this::isAtPlannedSize);
    for (Gang gang : problem.gangs()) {
      if (gang.home.isUnassigned()) {
        Optional<Placement> start = starts.placement(gang.job.id());
        if (start.isEmpty() || !isAtSizeOf(gang, start.get())) {
          real[gang.id] = GangAssignment.UNASSIGNED;
        } else if (real[gang.id].isUnassigned()) {
          real[gang.id] = GangPlacements.assignmentOf(problem, gang, start.get());
        }
      }
    }
  }

  private boolean isAtPlannedSize(Placement start) {
    return Arrays.stream(problem.gangs()).anyMatch(gang -> isAtSizeOf(gang, start));
  }

  private static boolean isAtSizeOf(Gang gang, Placement start) {
    return gang.job.id().equals(start.job()) && gang.job.tasks() == start.tasks().size();
  }
}
