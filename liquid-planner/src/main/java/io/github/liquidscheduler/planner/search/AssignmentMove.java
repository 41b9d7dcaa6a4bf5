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
    var place =
        view.getSolutionMetaModel()
            .genuineEntity(SolverModel.GangEntity.class)
            .basicVariable("place", Object.class);
    for (SolverModel.GangEntity gang : gangs) {
      view.changeVariable(place, gang, GangAssignment.UNASSIGNED);
    }
    for (int i = 0; i < gangs.length; i++) {
      view.changeVariable(place, gangs[i], to[i]);
    }
  }
}
