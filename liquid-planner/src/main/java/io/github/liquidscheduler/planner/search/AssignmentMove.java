package io.github.liquidscheduler.planner.search;

import ai.timefold.solver.core.preview.api.move.Move;
import ai.timefold.solver.core.preview.api.move.MutableSolutionView;
import io.github.liquidscheduler.planner.problem.GangAssignment;

/** Moves some gangs at once: all of them off, then all of them on. */
final class AssignmentMove implements Move<SolverModel.Plan> {

  private final SolverModel.GangEntity[] gangs;
  private final GangAssignment[] to;

  AssignmentMove(SolverModel.GangEntity[] gangs, GangAssignment[] to) {
    this.gangs = gangs;
    this.to = to;
  }

  @Override
  public void execute(MutableSolutionView<SolverModel.Plan> view) {
    var assignment =
        view.getSolutionMetaModel()
            .genuineEntity(SolverModel.GangEntity.class)
            .basicVariable("assignment", Object.class);
    for (SolverModel.GangEntity gang : gangs) {
      view.changeVariable(assignment, gang, GangAssignment.UNASSIGNED);
    }
    for (int i = 0; i < gangs.length; i++) {
      view.changeVariable(assignment, gangs[i], to[i]);
    }
  }
}
