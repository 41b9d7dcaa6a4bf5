package io.github.liquidscheduler.planner.search;

import ai.timefold.solver.core.api.solver.Solver;
import ai.timefold.solver.core.api.solver.SolverConfigOverride;
import ai.timefold.solver.core.api.solver.SolverFactory;
import ai.timefold.solver.core.config.heuristic.selector.move.factory.MoveIteratorFactoryConfig;
import ai.timefold.solver.core.config.localsearch.LocalSearchPhaseConfig;
import ai.timefold.solver.core.config.localsearch.decider.acceptor.LocalSearchAcceptorConfig;
import ai.timefold.solver.core.config.localsearch.decider.forager.LocalSearchForagerConfig;
import ai.timefold.solver.core.config.score.director.ScoreDirectorFactoryConfig;
import ai.timefold.solver.core.config.solver.EnvironmentMode;
import ai.timefold.solver.core.config.solver.SolverConfig;
import ai.timefold.solver.core.config.solver.termination.TerminationConfig;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.Problem;
import io.github.liquidscheduler.planning.PlanOptions;

/**
 * Improves a plan by the solver's late acceptance, with moves of our own. Everything the solver has
 * to know is put together here.
 */
public final class TimefoldSearch {

  private static final TimefoldSearch STANDARD = new TimefoldSearch(EnvironmentMode.PHASE_ASSERT);

  /** Makes solvers of all runs: what it reads of our classes takes longer than a small plan. */
  private final SolverFactory<SolverModel.Plan> solvers;

  private TimefoldSearch(EnvironmentMode mode) {
    solvers = SolverFactory.create(config(mode));
  }

  /** Returns the search. */
  public static TimefoldSearch standard() {
    return STANDARD;
  }

  /** Returns a search that checks every sum after every move; hundreds of times slower. */
  public static TimefoldSearch asserting() {
    return new TimefoldSearch(EnvironmentMode.FULL_ASSERT);
  }

  /** A plan and how many moves were evaluated for it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Improved(GangAssignment[] assignments, long movesEvaluated) {}

  /** Returns the best plan found from a start. */
  public Improved improve(Problem problem, GangAssignment[] start, PlanOptions options) {
    if (problem.gangs().length == 0) {
      return new Improved(start, 0);
    }
    Solver<SolverModel.Plan> solver =
        solvers.buildSolver(new SolverConfigOverride().withTerminationConfig(termination(options)));
    SolverContext context = new SolverContext(problem, options, solver::terminateEarly);
    SolverModel.Plan best = solver.solve(new SolverModel.Plan(context, start));
    return new Improved(best.assignments(), context.movesEvaluated());
  }

  /** Returns how all runs are configured; moves come from the problem with a seed of their own. */
  private static SolverConfig config(EnvironmentMode mode) {
    LocalSearchPhaseConfig phase =
        new LocalSearchPhaseConfig()
            .withMoveSelectorConfig(
                new MoveIteratorFactoryConfig()
                    .withMoveIteratorFactoryClass(SolverModel.Moves.class))
            .withAcceptorConfig(
                new LocalSearchAcceptorConfig().withLateAcceptanceSize(Acceptance.STEPS_BACK))
            .withForagerConfig(new LocalSearchForagerConfig().withAcceptedCountLimit(1));
    return new SolverConfig()
        .withSolutionClass(SolverModel.Plan.class)
        .withEntityClasses(SolverModel.GangEntity.class)
        .withScoreDirectorFactory(
            new ScoreDirectorFactoryConfig()
                .withIncrementalScoreCalculatorClass(SolverModel.Score.class))
        .withEnvironmentMode(mode)
        .withPhases(phase);
  }

  private static TerminationConfig termination(PlanOptions options) {
    TerminationConfig termination = new TerminationConfig();
    options.time().ifPresent(termination::withSpentLimit);
    return termination;
  }
}
