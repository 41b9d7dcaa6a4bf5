package io.github.liquidscheduler.placement.batch;

import ai.timefold.solver.core.preview.api.move.Move;
import ai.timefold.solver.core.preview.api.move.MutableSolutionView;

/** Moves some gangs at once: all of them off, then all of them on. */
final class PlaceMove implements Move<SolverModel.Plan> {

  private final SolverModel.GangEntity[] gangs;
  private final Place[] to;

  PlaceMove(SolverModel.GangEntity[] gangs, Place[] to) {
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
      view.changeVariable(place, gang, Place.NOT_NOW);
    }
    for (int i = 0; i < gangs.length; i++) {
      view.changeVariable(place, gangs[i], to[i]);
    }
  }
}
